import { beforeEach, expect, test, vi } from 'vitest';

import { fetchWithDeadline } from './fetchWithDeadline';

/** Ends the time that a call has. */
let deadline: AbortController;
let deadlineInMs: number | undefined;

beforeEach(() => {
  deadline = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    deadlineInMs = milliseconds;
    return deadline.signal;
  });
});

/** Never comes, but ends as `fetch` does when its signal says so. */
function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
}

function stubFetch(answer: (signal: AbortSignal) => Promise<Response>) {
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => answer(signal));
}

test('gives the answer with its status, headers and body', async () => {
  stubFetch(() => Promise.resolve(new Response('Ahoy', { status: 418, headers: { 'Retry-After': '5' } })));
  const response = await fetchWithDeadline('/graphql');
  expect(response.status).toBe(418);
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(await response.text()).toBe('Ahoy');
});

test('asks with the method, body and headers that it was given', async () => {
  const asked = vi.fn(() => Promise.resolve(new Response('')));
  vi.stubGlobal('fetch', asked);
  await fetchWithDeadline('/graphql', { method: 'POST', body: '{}', credentials: 'same-origin' });
  expect(asked).toHaveBeenCalledExactlyOnceWith(
    '/graphql',
    expect.objectContaining({ method: 'POST', body: '{}', credentials: 'same-origin' }),
  );
});

test('a server out of reach is a ConnectionError that names its cause', async () => {
  const cause = new TypeError('Failed to fetch');
  stubFetch(() => Promise.reject(cause));
  await expect(fetchWithDeadline('/graphql')).rejects.toMatchObject({
    name: 'ConnectionError',
    reason: 'unreachable',
    cause,
  });
});

test('a server that has not answered after 15 seconds is too slow', async () => {
  stubFetch(until);
  const answer = fetchWithDeadline('/graphql');
  deadline.abort();
  await expect(answer).rejects.toMatchObject({ name: 'ConnectionError', reason: 'timeout' });
  expect(deadlineInMs).toBe(15_000);
});

test('a body that does not come to its end in that time is too slow too', async () => {
  stubFetch((signal) =>
    Promise.resolve(Object.assign(new Response('{"data"'), { text: () => until(signal) })),
  );
  const answer = fetchWithDeadline('/graphql');
  // The headers are there; only the body is waited for.
  await Promise.resolve();
  deadline.abort();
  await expect(answer).rejects.toMatchObject({ name: 'ConnectionError', reason: 'timeout' });
});

test('a connection that breaks amid the body is a server out of reach', async () => {
  const broken = Object.assign(new Response('{"data"'), {
    text: () => Promise.reject(new TypeError('terminated')),
  });
  stubFetch(() => Promise.resolve(broken));
  await expect(fetchWithDeadline('/graphql')).rejects.toMatchObject({ reason: 'unreachable' });
});

test('a call that its caller gave up is no failure of the server', async () => {
  stubFetch(until);
  const caller = new AbortController();
  const answer = fetchWithDeadline('/graphql', { signal: caller.signal });
  caller.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});
