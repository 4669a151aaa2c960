import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { IntlShape } from 'react-intl';

import type { MessageId } from '../i18n/catalogues';
import { ConnectionError } from './fetchWithDeadline';

/** What each reason of a ConnectionError is called. */
const REASONS = {
  unreachable: 'failure.unreachable',
  timeout: 'failure.timeout',
} satisfies Record<ConnectionError['reason'], MessageId>;

/**
 * The errors that the server wrote into its answer, each with its `message` and, in `extensions`, its
 * `code` and the form `field` it is about. Empty when a call failed in another way.
 */
export function serverErrors(error: unknown): readonly GraphQLFormattedError[] {
  if (CombinedGraphQLErrors.is(error)) return error.errors;
  // With a status of 4xx or 5xx, Apollo reads errors out of application/graphql-response+json only.
  return ServerError.is(error) ? errorsOf(error.bodyText) : [];
}

/** The first message that the server wrote into its answer; an empty one counts as none. */
function serverMessage(error: unknown): string | undefined {
  return serverErrors(error).find(({ message }) => message.trim())?.message;
}

/** Whether a call failed on its way, and not by an answer. */
function isConnectionFailure(error: unknown): boolean {
  // What makes the call is a file of its own, and may not come (webpack names the error so).
  return error instanceof ConnectionError || (error instanceof Error && error.name === 'ChunkLoadError');
}

/**
 * What to tell a visitor about a call that failed (spec section 8, rows of sign-up, sign-in and profile): the server's
 * message, else the fallback, which is the caller's. A failure of the network adds what to do about it.
 */
export function formFailure(error: unknown, intl: IntlShape, fallback: MessageId): string {
  const message = serverMessage(error);
  if (message) return message;
  const failure = intl.formatMessage({ id: fallback });
  return isConnectionFailure(error) ? intl.formatMessage({ id: 'failure.connection' }, { failure }) : failure;
}

/**
 * What to tell a visitor about a call that failed (spec section 8, row "Newsletter call throws"): the server's first
 * message, else the status, else the error's own message, else the fallback, which is the caller's.
 */
export function errorMessage(error: unknown, intl: IntlShape, fallback: MessageId): string {
  const message = serverMessage(error);
  if (message) return message;
  if (ServerError.is(error) || ServerParseError.is(error)) {
    return intl.formatMessage({ id: 'failure.status' }, { status: error.statusCode });
  }
  if (error instanceof ConnectionError) return intl.formatMessage({ id: REASONS[error.reason] });
  if (isConnectionFailure(error)) return intl.formatMessage({ id: 'failure.unreachable' });
  // Apollo has words of its own for errors without any, which are for developers.
  if (CombinedGraphQLErrors.is(error)) return intl.formatMessage({ id: fallback });
  return (error instanceof Error && error.message) || intl.formatMessage({ id: fallback });
}

function errorsOf(body: string): readonly GraphQLFormattedError[] {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown };
    return Array.isArray(errors) ? (errors as GraphQLFormattedError[]) : [];
  } catch {
    return [];
  }
}
