import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { BaseHttpLink } from '@apollo/client/link/http';

import { bearerLink } from './bearerLink';
import { fetchWithDeadline } from './fetchWithDeadline';
import { retry } from './retry';

/** Posts query, variables and operationName, and nothing else, to the one endpoint (spec section 7). */
const http = new BaseHttpLink({ uri: '/graphql', credentials: 'same-origin', fetch: fetchWithDeadline });

/** The client of the GraphQL endpoint. It comes with the chunks that use it, after the first load. */
export const client = new ApolloClient({
  link: ApolloLink.from([retry, bearerLink, http]),
  cache: new InMemoryCache(),
});
