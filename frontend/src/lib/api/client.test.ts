import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { json, serveGraphQL, unauthenticated, unavailable } from '../../test/graphql';
import { client, fetchWithDeadline, setAuthTokenSource } from './client';

const ME = parse('query me { me { id } }');
const me = () => json({ data: { me: { id: '1', __typename: 'User' } } });

afterEach(() => client.clearStore());

test('posts query, variables and operationName, and accepts the GraphQL response type and JSON', async () => {
  const calls = serveGraphQL(me());
  const fetch = vi.spyOn(globalThis, 'fetch');
  await client.query({ query: ME });
  const request = fetch.mock.calls[0]?.[1];
  expect(Object.keys(JSON.parse(request?.body as string) as object).sort()).toEqual([
    'operationName',
    'query',
    'variables',
  ]);
  expect(request).toMatchObject({ method: 'POST', credentials: 'same-origin' });
  const headers = new Headers(request?.headers);
  expect(headers.get('Content-Type')).toBe('application/json');
  expect(headers.get('Accept')).toContain('application/graphql-response+json');
  expect(headers.get('Accept')).toContain('application/json');
  expect(calls[0]?.authorization, 'without a token').toBeNull();
});

describe('a request that fails', () => {
  const lost = new TypeError('Failed to fetch');
  const status = (code: number) => new Response('<h1>No</h1>', { status: code });
  const query = () => client.query({ query: ME });

  test.each([
    ['a lost connection', lost],
    ['a bad gateway', status(502)],
  ])('is sent once more after %s', async (_, failure) => {
    const calls = serveGraphQL(failure, me());
    expect((await query()).data).toEqual({ me: { id: '1', __typename: 'User' } });
    expect(calls).toHaveLength(2);
  });

  test.each([
    ['a second failure', query, [lost, lost], 2],
    ['the rate limit', query, [status(429)], 1],
    ['a refusal', query, [unauthenticated()], 1],
    ['a mutation', () => client.mutate({ mutation: parse('mutation logout { logout }') }), [lost], 1],
    ['a query without retries', () => client.query({ query: ME, context: { retries: false } }), [lost], 1],
  ])('is not sent again after %s', async (_, send, answers, times) => {
    const calls = serveGraphQL(...answers, me());
    await expect(send()).rejects.toThrow();
    expect(calls).toHaveLength(times);
  });

  test('is not sent again after it has timed out', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const calls = serveGraphQL(lost, me());
    await expect(query()).rejects.toMatchObject({ reason: 'timeout' });
    expect(calls).toHaveLength(1);
  });
});

describe('with a token', () => {
  const onRejected = vi.fn();

  beforeEach(() => setAuthTokenSource({ getToken: () => 'one.two.three', onRejected }));
  afterEach(() => setAuthTokenSource(undefined));

  test('sends it in the Authorization header', async () => {
    const calls = serveGraphQL(me());
    await client.query({ query: ME });
    expect(calls[0]?.authorization).toBe('Bearer one.two.three');
    expect(onRejected).not.toHaveBeenCalled();
  });

  const errors = [{ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } }];

  test.each([
    ['a response', unauthenticated()],
    ['an error beside data', json({ data: { me: null }, errors })],
    ['status 401 in plain JSON', json({ errors }, { status: 401, type: 'application/json' })],
  ])('reports that the server rejects it by %s', async (_, answer) => {
    serveGraphQL(answer);
    await expect(client.query({ query: ME })).rejects.toThrow();
    expect(onRejected).toHaveBeenCalledExactlyOnceWith('one.two.three');
  });

  test.each([
    ['an outage', unavailable()],
    ['a lost connection', new TypeError('Failed to fetch')],
  ])('does not take %s for a rejection', async (_, answer) => {
    serveGraphQL(answer);
    await expect(client.query({ query: ME })).rejects.toThrow();
    expect(onRejected).not.toHaveBeenCalled();
  });
});

describe('fetchWithDeadline', () => {
  let deadline: AbortController;
  let deadlineMs: number | undefined;

  beforeEach(() => {
    deadline = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      deadlineMs = milliseconds;
      return deadline.signal;
    });
  });

  /** Return a promise that rejects, as `fetch` does, when its signal aborts. */
  function untilAborted(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
  }

  function stubFetch(answer: (signal: AbortSignal) => Promise<Response>) {
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => answer(signal));
  }

  const withBody = (text: () => Promise<string>) => Object.assign(new Response('{"data"'), { text });

  test('returns the response with its status, headers and body', async () => {
    stubFetch(() => Promise.resolve(new Response('Ahoy', { status: 418, headers: { 'Retry-After': '5' } })));
    const response = await fetchWithDeadline('/graphql');
    expect(response.status).toBe(418);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await response.text()).toBe('Ahoy');
  });

  test('keeps the cause of a failed connection', async () => {
    const cause = new TypeError('Failed to fetch');
    stubFetch(() => Promise.reject(cause));
    const failure = { name: 'ConnectionError', reason: 'unreachable', cause };
    await expect(fetchWithDeadline('/graphql')).rejects.toMatchObject(failure);
  });

  test('fails when the connection breaks within the body', async () => {
    stubFetch(() => Promise.resolve(withBody(() => Promise.reject(new TypeError('terminated')))));
    await expect(fetchWithDeadline('/graphql')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test.each([
    ['no response', untilAborted],
    ['no complete body', (signal: AbortSignal) => Promise.resolve(withBody(() => untilAborted(signal)))],
  ])('times out when there is %s after 15 seconds', async (_, answer) => {
    stubFetch(answer);
    const response = fetchWithDeadline('/graphql');
    await Promise.resolve(); // the headers have arrived
    deadline.abort();
    await expect(response).rejects.toMatchObject({ name: 'ConnectionError', reason: 'timeout' });
    expect(deadlineMs).toBe(15_000);
  });

  test('passes on that the caller aborted the request', async () => {
    stubFetch(untilAborted);
    const caller = new AbortController();
    const response = fetchWithDeadline('/graphql', { signal: caller.signal });
    caller.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  });
});
