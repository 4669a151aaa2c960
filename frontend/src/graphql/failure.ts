import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

/** What went wrong with an operation: a message for the visitor, and the input's field that it is about, if any. */
export interface Failure {
  message: string;
  field?: string;
}

interface AnsweredError {
  message: string;
  extensions?: { field?: string };
}

/**
 * Reads a thrown error (spec section 8): the first error that the server named, whatever the HTTP status;
 * for an answer that names none, `GraphQL Error (Code: status)`; for no answer at all, `otherwise`.
 */
export function failureOf(error: unknown, otherwise: string): Failure {
  const first = CombinedGraphQLErrors.is(error) ? error.errors[0] : undefined;
  const named = first ?? (ServerError.is(error) ? firstErrorIn(error.bodyText) : undefined);
  if (named) {
    const field = named.extensions?.field;
    return typeof field === 'string' ? { message: named.message, field } : { message: named.message };
  }
  if (ServerError.is(error)) return { message: `GraphQL Error (Code: ${error.statusCode})` };
  return { message: otherwise };
}

function firstErrorIn(body: string): AnsweredError | undefined {
  try {
    return (JSON.parse(body) as { errors?: AnsweredError[] }).errors?.[0];
  } catch {
    return undefined; // a proxy's page of HTML, say
  }
}
