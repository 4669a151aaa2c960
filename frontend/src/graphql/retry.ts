import { ApolloLink } from '@apollo/client';
import { ServerError } from '@apollo/client/errors';
import { RetryLink } from '@apollo/client/link/retry';
import { isQueryOperation } from '@apollo/client/utilities';
import { map } from 'rxjs';

interface Context {
  /** False: a query is not asked once more. */
  retry?: boolean;
  /** Set once it has been asked. */
  asked?: boolean;
  /** The server's answer so far. */
  response?: Response;
}

const contextOf = (operation: ApolloLink.Operation) => operation.getContext() as Context;

/** The server answered a query, in its response type, that it cannot. */
class Outage extends Error {
  override name = 'Outage';
}

function mayBeRetried(operation: ApolloLink.Operation): boolean {
  return isQueryOperation(operation.query) && contextOf(operation).retry !== false;
}

/** A query that failed is asked once more (spec section 7); a mutation never is, for it may have been carried out. */
const secondTry = new RetryLink({
  delay: { initial: 300 },
  attempts: (count, operation, error) =>
    count === 1 && mayBeRetried(operation) && !(ServerError.is(error) && error.statusCode < 500),
});

/**
 * Makes an error of an outage that comes as an answer, as a 5xx in application/graphql-response+json does: RetryLink
 * sees nothing else. What the second try gives is left as it is.
 */
const outages = new ApolloLink((operation, forward) => {
  if (!mayBeRetried(operation) || contextOf(operation).asked) return forward(operation);
  operation.setContext({ asked: true });
  return forward(operation).pipe(
    map((result) => {
      const { response } = contextOf(operation);
      const unavailable = result.errors?.some(({ extensions }) => extensions?.code === 'UNAVAILABLE');
      if (unavailable || (response && response.status >= 500)) throw new Outage();
      return result;
    }),
  );
});

/** One more try for a query; `context: { retry: false }` has it none. */
export const retry = ApolloLink.from([secondTry, outages]);
