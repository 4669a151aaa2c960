import { parse } from 'graphql';
import { createIntl } from 'react-intl';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { catalogues } from '../../test/catalogues';
import { type Answer, json, serveGraphQL, unauthenticated } from '../../test/graphql';
import { client, fetchWithDeadline, setAuthTokenSource } from './client';
import { describeError, describeFormFailure, getServerErrors } from './errors';
import { SubscribeNewsletterDocument } from './generated';

const ME = parse('query me { me { id } }');
const me = () => json({ data: { me: { id: '1', __typename: 'User' } } });

afterEach(() => client.clearStore());

test('posts query, variables and operationName, and accepts the GraphQL response type and JSON', async () => {
  const calls = serveGraphQL(me());
  const fetch = vi.spyOn(globalThis, 'fetch');
  await client.query({ query: ME });
  const request = fetch.mock.calls[0]?.[1];
  expect(calls).toEqual([
    {
      operationName: 'me',
      query: expect.stringContaining('me') as string,
      variables: {},
      authorization: null,
    },
  ]);
  expect(request).toMatchObject({ method: 'POST', credentials: 'same-origin' });
  const headers = new Headers(request?.headers);
  expect(headers.get('Content-Type')).toBe('application/json');
  expect(headers.get('Accept')).toMatch(/application\/graphql-response\+json.*application\/json/);
});

const lost = new TypeError('Failed to fetch');
const status = (code: number) => new Response('<h1>No</h1>', { status: code });
const query = () => client.query({ query: ME });

test.each([
  ['a lost connection', lost],
  ['a bad gateway', status(502)],
])('a request that fails is sent once more after %s', async (_, failure) => {
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
])('a request that fails is not sent again after %s', async (_, send, answers, times) => {
  const calls = serveGraphQL(...answers, me());
  await expect(send()).rejects.toThrow();
  expect(calls).toHaveLength(times);
});

test('a request that fails is not sent again after it has timed out', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const calls = serveGraphQL(lost, me());
  await expect(query()).rejects.toMatchObject({ reason: 'timeout' });
  expect(calls).toHaveLength(1);
});

describe('with a token', () => {
  const onRejected = vi.fn();

  beforeEach(() => setAuthTokenSource({ getToken: () => 'one.two.three', onRejected }));
  afterEach(() => setAuthTokenSource(undefined));

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
});

describe('fetchWithDeadline', () => {
  const withBody = (text: () => Promise<string>) => Object.assign(new Response('{"data"'), { text });

  /** Return a promise that rejects, as `fetch` does, when its signal aborts. */
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });

  test.each<[string, (signal: AbortSignal) => Promise<Response>, 'deadline' | 'caller' | undefined, object]>([
    ['no connection', () => Promise.reject(lost), undefined, { reason: 'unreachable', cause: lost }],
    ['half a body', () => Promise.resolve(withBody(() => Promise.reject(lost))), undefined, { cause: lost }],
    ['no response in time', untilAborted, 'deadline', { name: 'ConnectionError', reason: 'timeout' }],
    [
      'no complete body in time',
      (signal) => Promise.resolve(withBody(() => untilAborted(signal))),
      'deadline',
      { reason: 'timeout' },
    ],
    ['a caller that aborts', untilAborted, 'caller', { name: 'AbortError' }],
  ])('fails with %s', async (_, answer, aborted, failure) => {
    const [deadline, caller] = [new AbortController(), new AbortController()];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    vi.stubGlobal('fetch', (__: string, { signal }: { signal: AbortSignal }) => answer(signal));
    const response = fetchWithDeadline('/graphql', aborted === 'caller' ? { signal: caller.signal } : {});
    await Promise.resolve(); // the headers have arrived
    if (aborted) (aborted === 'caller' ? caller : deadline).abort();
    await expect(response).rejects.toMatchObject(failure);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000);
  });
});

const intl = createIntl({ locale: 'en-US', messages: catalogues.en });

/** Return what the client throws for an answer. */
async function getError(answer: Answer): Promise<unknown> {
  serveGraphQL(answer);
  const input = { email: 'jana@example.org', userType: 'sailor' };
  return client.mutate({ mutation: SubscribeNewsletterDocument, variables: { input } }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const plain = { type: 'application/json' };
const errors = [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT', field: 'email' } }];

const FALLBACK = 'An error occurred during sign in';
const UNREACHABLE = 'We can’t reach the server. Please check your connection and try again.';

test.each([
  ['an error', json({ data: null, errors: [...errors, { message: 'Besides.' }] }), 'No.', 'No.'],
  ['an error in plain JSON', json({ errors }, { status: 503, ...plain }), 'No.', 'No.'],
  ['an error with another status', json({ errors }, { status: 429 }), 'No.', 'No.'],
  ['an HTML page of a proxy', status(502), 'GraphQL Error (Code: 502)', FALLBACK],
  ['JSON without errors', json({}, { status: 500, ...plain }), 'GraphQL Error (Code: 500)', FALLBACK],
  [
    'no list of errors',
    json({ errors: '?' }, { status: 400, ...plain }),
    'GraphQL Error (Code: 400)',
    FALLBACK,
  ],
  ['null', json(null, { status: 400, ...plain }), 'GraphQL Error (Code: 400)', FALLBACK],
  [
    'truncated JSON',
    new Response('{"da', { headers: { 'Content-Type': 'application/json' } }),
    /200/,
    FALLBACK,
  ],
  ['a blank message', json({ errors: [{ message: ' ' }] }), /^Something went wrong/, FALLBACK],
  ['a blank message before another', json({ errors: [{ message: '' }, ...errors] }), /./, 'No.'],
  ['a lost network', lost, UNREACHABLE, `${FALLBACK}. Please check your connection and try again.`],
])(
  '%s is described by its message or our text, and in a form never by its status',
  async (_, answer, message, inForm) => {
    const error = await getError(answer);
    expect(describeError(error, intl, 'forms.failed')).toMatch(message);
    expect(describeFormFailure(error, intl, 'auth.signInFailed')).toBe(inForm);
  },
);

test('an error of the program is described by its message, never in a form', () => {
  const chunk = Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', request: '' });
  const describe = (error: unknown) => describeError(error, intl, 'forms.failed');
  expect(describe(chunk)).toBe(UNREACHABLE);
  expect(describe(new Error('The sail is torn.'))).toBe('The sail is torn.');
  for (const error of [new Error(''), 'a text', undefined])
    expect(describe(error)).toBe('Something went wrong. Please try again.');
  expect(describeFormFailure(new TypeError('x is not a function'), intl, 'auth.signInFailed')).toBe(FALLBACK);
});

test('getServerErrors returns the errors with their code and field', async () => {
  expect(getServerErrors(await getError(json({ errors }, { status: 400 })))).toEqual(errors);
});
