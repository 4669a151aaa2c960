import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { ServerError } from '@apollo/client/errors';
import { BaseHttpLink } from '@apollo/client/link/http';
import { RetryLink } from '@apollo/client/link/retry';
import { isQueryOperation } from '@apollo/client/utilities';

import { fetchWithDeadline } from './fetchWithDeadline';

/** A query that failed is asked once more (spec section 7); a mutation never is, for it may have been carried out. */
const retry = new RetryLink({
  delay: { initial: 300 },
  attempts: (count, operation, error) =>
    count === 1 && isQueryOperation(operation.query) && !(ServerError.is(error) && error.statusCode < 500),
});

/** Posts query, variables and operationName, and nothing else, to the one endpoint (spec section 7). */
const http = new BaseHttpLink({ uri: '/graphql', credentials: 'same-origin', fetch: fetchWithDeadline });

/** The client of the GraphQL endpoint. It comes with the chunks that use it, after the first load. */
export const client = new ApolloClient({
  link: ApolloLink.from([retry, http]),
  cache: new InMemoryCache(),
});
