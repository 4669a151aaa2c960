import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { IntlShape } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { isChunkLoadError } from '../loadChunk';

/** The request got no response: the server could not be reached, or took too long. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly reason: 'unreachable' | 'timeout';

  constructor(reason: ConnectionError['reason'], cause: unknown) {
    super(`The request failed: ${reason}`, { cause });
    this.reason = reason;
  }
}

const CONNECTION_MESSAGES = {
  unreachable: 'failure.unreachable',
  timeout: 'forms.timeout',
} satisfies Record<ConnectionError['reason'], MessageId>;

/**
 * Return the GraphQL errors of a response, each with its `message` and, in `extensions`, its `code` and the form
 * `field` that it is about. Empty when the request failed in another way.
 */
export function getServerErrors(error: unknown): readonly GraphQLFormattedError[] {
  if (CombinedGraphQLErrors.is(error)) return error.errors;
  // On status 4xx and 5xx Apollo reads errors only from application/graphql-response+json.
  return ServerError.is(error) ? parseErrors(error.bodyText) : [];
}

/** Return the first message of the server that is not blank. */
function getServerMessage(error: unknown): string | undefined {
  return getServerErrors(error).find(({ message }) => message.trim())?.message;
}

/** The error of a form as a whole or of its email, in the current language; the server's own text is never translated. */
export interface FormError {
  getMessage: (intl: IntlShape) => string;
  isAboutEmail: boolean;
}

/** Return what a form shows for a failed request. */
export function toFormError(error: unknown): FormError {
  return {
    getMessage: (intl) => describeError(error, intl, 'forms.failed'),
    isAboutEmail: getServerErrors(error)[0]?.extensions?.field === 'email',
  };
}

/** Return whether there was no response, or the code that sends the request could not be loaded. */
function isConnectionFailure(error: unknown): boolean {
  return error instanceof ConnectionError || isChunkLoadError(error);
}

/**
 * Return the text for a failed sign-up, sign-in or profile save (spec section 8): the server's message, else the
 * fallback. A connection failure adds what to do about it.
 */
export function describeFormFailure(error: unknown, intl: IntlShape, fallback: MessageId): string {
  const message = getServerMessage(error);
  if (message) return message;
  const failure = intl.formatMessage({ id: fallback });
  return isConnectionFailure(error) ? intl.formatMessage({ id: 'forms.connection' }, { failure }) : failure;
}

/**
 * Return the text for any other failed request (spec section 8, "Newsletter call throws"): the server's first message,
 * else the status, else the error's own message, else the fallback.
 */
export function describeError(error: unknown, intl: IntlShape, fallback: MessageId): string {
  const message = getServerMessage(error);
  if (message) return message;
  if (ServerError.is(error) || ServerParseError.is(error)) {
    return intl.formatMessage({ id: 'forms.status' }, { status: error.statusCode });
  }
  if (error instanceof ConnectionError) return intl.formatMessage({ id: CONNECTION_MESSAGES[error.reason] });
  if (isConnectionFailure(error)) return intl.formatMessage({ id: 'failure.unreachable' });
  // Apollo's default text for errors without a message is meant for developers.
  if (CombinedGraphQLErrors.is(error)) return intl.formatMessage({ id: fallback });
  return (error instanceof Error && error.message) || intl.formatMessage({ id: fallback });
}

function parseErrors(body: string): readonly GraphQLFormattedError[] {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown };
    return Array.isArray(errors) ? (errors as GraphQLFormattedError[]) : [];
  } catch {
    return [];
  }
}
