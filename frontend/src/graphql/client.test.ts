import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { json, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { carryTokenOf } from './bearer';
import { client } from './client';
import { SubscribeNewsletterDocument } from './generated';

const ME = parse('query me { me { id } }');
const me = () => json({ data: { me: { id: '1', __typename: 'User' } } });
const badGateway = () => new Response('<h1>Bad Gateway</h1>', { status: 502 });

// The pause before a second try.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(async () => {
  vi.useRealTimers();
  await client.clearStore();
});

async function settled<Value>(promise: Promise<Value>) {
  const outcome = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return outcome;
}

test.each([
  ['a server out of reach', new TypeError('Failed to fetch')],
  ['a proxy in trouble', badGateway()],
  ['a server in trouble, which says so in the GraphQL response type', unavailable()],
  ['an accident of the server', json({ data: null, errors: [{ message: 'Oh.' }] }, { status: 500 })],
  [
    'something unavailable beside other data',
    json({ data: { me: null }, errors: [{ message: 'Away', extensions: { code: 'UNAVAILABLE' } }] }),
  ],
])('a query that met %s is asked once more', async (_, failure) => {
  const calls = serveGraphQL(failure, me());
  expect(await settled(client.query({ query: ME }))).toMatchObject({ value: { data: { me: { id: '1' } } } });
  expect(calls).toHaveLength(2);
});

test('a query is not asked a third time', async () => {
  const calls = serveGraphQL(badGateway(), badGateway(), me());
  expect(await settled(client.query({ query: ME }))).toHaveProperty('error');
  expect(calls).toHaveLength(2);
});

test('what the server says the second time is what the caller gets', async () => {
  serveGraphQL(unavailable(), unavailable());
  const outcome = await settled(client.query({ query: ME }));
  expect(outcome).toMatchObject({ error: { errors: [{ extensions: { code: 'UNAVAILABLE' } }] } });
});

test.each([
  ['an outage', unavailable()],
  ['a server out of reach', new TypeError('Failed to fetch')],
])('a query that is to have one try has one: %s', async (_, failure) => {
  const calls = serveGraphQL(failure, me());
  expect(await settled(client.query({ query: ME, context: { retry: false } }))).toHaveProperty('error');
  expect(calls).toHaveLength(1);
});

test.each([
  ['a refusal', json({ errors: [{ message: 'No.' }] }, { status: 400 })],
  ['a refusal that is no GraphQL', new Response('Forbidden', { status: 403 })],
  ['errors', json({ data: null, errors: [{ message: 'No.' }] })],
])('a query answered with %s is not asked again', async (_, answer) => {
  const calls = serveGraphQL(answer, me());
  expect(await settled(client.query({ query: ME }))).toHaveProperty('error');
  expect(calls).toHaveLength(1);
});

test.each([
  ['is out of reach', new TypeError('Failed to fetch')],
  ['is in trouble', unavailable()],
])('a mutation is never sent again, for it may have been carried out: the server %s', async (_, failure) => {
  const calls = serveGraphQL(failure);
  const variables = { input: { email: 'jana@example.org', userType: 'sailor' } };
  const mutation = client.mutate({ mutation: SubscribeNewsletterDocument, variables });
  expect(await settled(mutation)).toHaveProperty('error');
  expect(calls).toHaveLength(1);
});

test('a call posts query, variables and operationName, and accepts the GraphQL response type and JSON', async () => {
  serveGraphQL(me());
  const sent = vi.spyOn(globalThis, 'fetch');
  await settled(client.query({ query: ME }));
  const request = sent.mock.calls[0]?.[1];
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
});

test('without a token there is no Authorization header', async () => {
  const calls = serveGraphQL(me());
  await settled(client.query({ query: ME }));
  expect(calls[0]?.authorization).toBeNull();
});

describe('with a token', () => {
  const refused = vi.fn();
  let letGo: () => void;

  beforeEach(() => {
    refused.mockClear();
    letGo = carryTokenOf({ token: () => 'one.two.three', refused });
  });
  afterEach(() => letGo());

  test('every call carries it', async () => {
    const calls = serveGraphQL(me());
    await settled(client.query({ query: ME }));
    expect(calls[0]?.authorization).toBe('Bearer one.two.three');
  });

  test('a second try carries it too', async () => {
    const calls = serveGraphQL(badGateway(), me());
    await settled(client.query({ query: ME }));
    expect(calls[1]?.authorization).toBe('Bearer one.two.three');
  });

  test.each([
    ['an answer', unauthenticated()],
    [
      'an answer beside other data',
      json({ data: { me: null }, errors: [{ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } }] }),
    ],
    [
      'a status, in plain JSON',
      json(
        { errors: [{ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } }] },
        { status: 401, type: 'application/json' },
      ),
    ],
  ])('its bearer is told when the server refuses it by %s', async (_, answer) => {
    serveGraphQL(answer);
    await settled(client.query({ query: ME }));
    expect(refused).toHaveBeenCalledExactlyOnceWith('one.two.three');
  });

  test('its bearer is told nothing of other failures', async () => {
    serveGraphQL(unavailable(), new TypeError('Failed to fetch'));
    await settled(client.query({ query: ME }));
    expect(refused).not.toHaveBeenCalled();
  });

  test('who let go of it carries nothing', async () => {
    letGo();
    const calls = serveGraphQL(me());
    await settled(client.query({ query: ME }));
    expect(calls[0]?.authorization).toBeNull();
  });
});
