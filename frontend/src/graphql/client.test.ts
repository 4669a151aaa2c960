import { parse } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
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

test.each([
  ['a refusal', json({ errors: [{ message: 'No.' }] }, { status: 400 })],
  ['a refusal that is no GraphQL', new Response('Forbidden', { status: 403 })],
  ['errors', json({ data: null, errors: [{ message: 'No.' }] })],
])('a query answered with %s is not asked again', async (_, answer) => {
  const calls = serveGraphQL(answer, me());
  expect(await settled(client.query({ query: ME }))).toHaveProperty('error');
  expect(calls).toHaveLength(1);
});

test('a mutation is never sent again, for it may have been carried out', async () => {
  const calls = serveGraphQL(new TypeError('Failed to fetch'));
  const variables = { input: { email: 'jana@example.org', userType: 'sailor' } };
  const mutation = client.mutate({ mutation: SubscribeNewsletterDocument, variables });
  expect(await settled(mutation)).toHaveProperty('error');
  expect(calls).toHaveLength(1);
});

test('a call posts query, variables and operationName, and accepts the GraphQL response type and JSON', async () => {
  const calls = serveGraphQL(me());
  const sent = vi.spyOn(globalThis, 'fetch');
  await settled(client.query({ query: ME }));
  expect(Object.keys(calls[0] ?? {}).sort()).toEqual(['operationName', 'query', 'variables']);
  const request = sent.mock.calls[0]?.[1];
  expect(request).toMatchObject({ method: 'POST', credentials: 'same-origin' });
  const headers = new Headers(request?.headers);
  expect(headers.get('Content-Type')).toBe('application/json');
  expect(headers.get('Accept')).toContain('application/graphql-response+json');
  expect(headers.get('Accept')).toContain('application/json');
});
