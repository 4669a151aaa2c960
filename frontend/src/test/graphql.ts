import { vi } from 'vitest';

/** A request to the GraphQL endpoint. */
export interface Call {
  operationName: string;
  query: string;
  variables: Record<string, unknown>;
  /** The Authorization header. */
  authorization: string | null;
}

/** A response of the endpoint, or what `fetch` rejects with. */
export type Answer = Response | Error | Promise<Response>;

/**
 * Stub `fetch` for the rest of the test.
 *
 * @param answers one for each request, in order; a further request fails
 * @returns the requests so far
 */
export function serveGraphQL(...answers: Answer[]): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    if (address !== '/graphql' || typeof request.body !== 'string')
      throw new Error(`Unexpected request to ${address}`);
    const authorization = new Headers(request.headers).get('Authorization');
    calls.push({ ...(JSON.parse(request.body) as Omit<Call, 'authorization'>), authorization });
    const answer = answers.shift() ?? new Error('Unexpected request');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return calls;
}

/** Return a JSON response, by default of the GraphQL response type. */
export function json(
  body: unknown,
  { status = 200, type = 'application/graphql-response+json' }: { status?: number; type?: string } = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
}

/** Return the response of the endpoint during an outage of the database. */
export function unavailable(): Response {
  const message = 'The service is briefly unavailable. Please try again in a moment.';
  return json({ data: null, errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] }, { status: 503 });
}

/** Return the response to a rejected token. */
export function unauthenticated(): Response {
  return json({
    data: null,
    errors: [{ message: 'Please sign in.', extensions: { code: 'UNAUTHENTICATED' } }],
  });
}

/** Return an answer that arrives when the test sends it. */
export function later<T = Response>(): { answer: Promise<T>; send: (value: T) => void } {
  let send: (value: T) => void = () => undefined;
  const answer = new Promise<T>((resolve) => {
    send = resolve;
  });
  return { answer, send: (value) => send(value) };
}
