import { vi } from 'vitest';

/** What a call of the GraphQL endpoint sent. */
export interface Call {
  operationName: string;
  query: string;
  variables: Record<string, unknown>;
  /** The header of this name; null without one. */
  authorization: string | null;
}

/** An answer of the endpoint in the GraphQL response type, or what is thrown for a server out of reach. */
export type Answer = Response | Error | Promise<Response>;

/**
 * Stands in for the server behind `fetch` for the rest of a test.
 *
 * @param answers one for each call, in their order; a further call fails
 * @returns the calls so far, the latest last
 */
export function serveGraphQL(...answers: Answer[]): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    if (address !== '/graphql' || typeof request.body !== 'string') throw new Error(`Asked for ${address}`);
    const authorization = new Headers(request.headers).get('Authorization');
    calls.push({ ...(JSON.parse(request.body) as Omit<Call, 'authorization'>), authorization });
    const answer = answers.shift() ?? new Error('One call too many');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return calls;
}

/** A JSON answer, in the GraphQL response type when no other is said. */
export function json(
  body: unknown,
  { status = 200, type = 'application/graphql-response+json' }: { status?: number; type?: string } = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
}

/** The answer of a server whose database is away, as the endpoint gives it. */
export function unavailable(): Response {
  const message = 'The service is briefly unavailable. Please try again in a moment.';
  return json({ data: null, errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] }, { status: 503 });
}

/** The answer to a call whose token does not count. */
export function unauthenticated(): Response {
  return json({
    data: null,
    errors: [{ message: 'Please sign in.', extensions: { code: 'UNAUTHENTICATED' } }],
  });
}

/** An answer that comes when the test sends it. */
export function later(): { answer: Promise<Response>; send: (response: Response) => void } {
  let send: (response: Response) => void = () => undefined;
  const answer = new Promise<Response>((resolve) => {
    send = resolve;
  });
  return { answer, send: (response) => send(response) };
}
