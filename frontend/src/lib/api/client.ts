import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { ServerError } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { BaseHttpLink } from '@apollo/client/link/http';
import { RetryLink } from '@apollo/client/link/retry';
import { OperationTypeNode } from 'graphql';

import { ConnectionError, getServerErrors } from './errors';

/** The server answers or gives up within 15 s itself. */
const DEADLINE_MS = 15_000;

/** Where the token of a request comes from: the session. */
interface AuthTokenSource {
  /** Return the token of the signed-in member, or null. */
  getToken: () => string | null;
  /** Called when the server rejects a token that was sent. */
  onRejected: (token: string) => void;
}

const NO_TOKEN: AuthTokenSource = { getToken: () => null, onRejected: () => undefined };

let tokenSource = NO_TOKEN;

/** Set where the token of every later request comes from; undefined sends none. */
export function setAuthTokenSource(source: AuthTokenSource | undefined): void {
  tokenSource = source ?? NO_TOKEN;
}

declare module '@apollo/client' {
  interface DefaultContext {
    /** Sent in place of the current member's token. */
    token?: string | null;
    /** Whether a query that fails is sent again; by default it is. */
    retries?: boolean;
    headers?: Record<string, string>;
  }
}

/** Add the bearer token to each request (spec section 6; RFC 6750, 2.1). */
const authLink = new SetContextLink(({ token = tokenSource.getToken(), headers }) =>
  token ? { token, headers: { ...headers, Authorization: `Bearer ${token}` } } : {},
);

/** Report a rejected token. */
const rejectionLink = new ErrorLink(({ error, operation }) => {
  const { token } = operation.getContext();
  const isRejected = getServerErrors(error).some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
  if (token && isRejected) tokenSource.onRejected(token);
});

/**
 * Fetch a whole response, headers and body, before the deadline.
 *
 * @throws {ConnectionError} when there is none by then
 */
export async function fetchWithDeadline(
  url: RequestInfo | URL,
  request: RequestInit = {},
): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  try {
    const response = await fetch(url, { ...request, signal });
    return new Response(await response.text(), response);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ConnectionError(deadline.aborted ? 'timeout' : 'unreachable', error);
  }
}

/**
 * Send a query once more (spec section 7), unless the visitor has waited long or a server has refused it. A mutation may
 * have been carried out before its answer was lost.
 */
const retryLink = new RetryLink({
  attempts: {
    max: 2,
    retryIf: (error, operation) =>
      operation.operationType === OperationTypeNode.QUERY &&
      operation.getContext().retries !== false &&
      (error instanceof ConnectionError
        ? error.reason === 'unreachable'
        : ServerError.is(error) && error.statusCode >= 500),
  },
});

/** Posts `query`, `variables` and `operationName` to the one endpoint (spec section 7). */
const httpLink = new BaseHttpLink({ uri: '/graphql', credentials: 'same-origin', fetch: fetchWithDeadline });

const UNCACHED = { fetchPolicy: 'no-cache' } as const;

/** Neither caches nor shares an answer (docs/decisions/026). */
export const client = new ApolloClient({
  link: ApolloLink.from([authLink, rejectionLink, retryLink, httpLink]),
  cache: new InMemoryCache(),
  queryDeduplication: false,
  defaultOptions: { watchQuery: UNCACHED, query: UNCACHED, mutate: UNCACHED },
});
