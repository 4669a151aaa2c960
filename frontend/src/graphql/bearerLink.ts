import { ApolloLink } from '@apollo/client';
import type { GraphQLFormattedError } from 'graphql';
import { tap } from 'rxjs';

import { currentBearer } from './bearer';
import { serverErrors } from './errors';

interface Context {
  /** Goes with this call in place of the present member's. */
  token?: string;
  headers?: Record<string, string>;
}

/**
 * Sends the token with every call, and tells whose it is when the server refuses it (spec section 6; RFC 6750
 * section 2.1). Without a token there is no header.
 */
export const bearerLink = new ApolloLink((operation, forward) => {
  const bearer = currentBearer();
  const { token = bearer.token(), headers } = operation.getContext() as Context;
  if (!token) return forward(operation);

  operation.setContext({ headers: { ...headers, Authorization: `Bearer ${token}` } });
  const heed = (errors: readonly GraphQLFormattedError[]) => {
    if (errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) bearer.refused(token);
  };
  return forward(operation).pipe(
    tap({
      next: ({ errors = [] }) => heed(errors),
      error: (error) => heed(serverErrors(error)),
    }),
  );
});
