import { vi } from 'vitest';

/** What a call of the GraphQL endpoint sent. */
export interface Call {
  operationName: string;
  query: string;
  variables: Record<string, unknown>;
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
    calls.push(JSON.parse(request.body) as Call);
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
