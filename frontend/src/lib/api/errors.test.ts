import { createIntl } from 'react-intl';
import { describe, expect, test } from 'vitest';

import { catalogues } from '../../test/catalogues';
import { type Answer, json, serveGraphQL } from '../../test/graphql';
import { client } from './client';
import { describeError, describeFormFailure, getServerErrors } from './errors';
import { SubscribeNewsletterDocument } from './generated';

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

async function getMessage(answer: Answer): Promise<string> {
  return describeError(await getError(answer), intl, 'forms.failed');
}

function chunkLoadError() {
  return Object.assign(new Error('Loading chunk part-session failed.'), { name: 'ChunkLoadError' });
}

const errors = [
  { message: 'Too many tries.', extensions: { code: 'RATE_LIMITED' } },
  { message: 'Besides.' },
];

test.each([
  ['status 200', json({ data: null, errors })],
  ['status 200, as plain JSON', json({ data: null, errors }, { type: 'application/json' })],
  ['status 429', json({ errors }, { status: 429 })],
  ['status 503, as plain JSON', json({ errors }, { status: 503, type: 'application/json' })],
])('returns the first error message of a response with %s', async (_, answer) => {
  expect(await getMessage(answer)).toBe('Too many tries.');
});

test.each([
  [
    'an HTML page of a proxy',
    new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    'GraphQL Error (Code: 502)',
  ],
  ['JSON without errors', json({}, { status: 500, type: 'application/json' }), 'GraphQL Error (Code: 500)'],
  [
    'errors that are not a list',
    json({ errors: 'none' }, { status: 400, type: 'application/json' }),
    'GraphQL Error (Code: 400)',
  ],
  ['null', json(null, { status: 400, type: 'application/json' }), 'GraphQL Error (Code: 400)'],
  [
    'truncated JSON',
    new Response('{"data": {', { headers: { 'Content-Type': 'application/json' } }),
    'GraphQL Error (Code: 200)',
  ],
])('returns the status of a response without a message: %s', async (_, answer, message) => {
  expect(await getMessage(answer)).toBe(message);
});

test('returns our own text when the server or a chunk cannot be reached', async () => {
  const text = 'We can’t reach the server. Please check your connection and try again.';
  expect(await getMessage(new TypeError('Failed to fetch'))).toBe(text);
  expect(describeError(chunkLoadError(), intl, 'forms.failed')).toBe(text);
});

describe('describeFormFailure', () => {
  const FALLBACK = 'An error occurred during sign in';

  test.each([
    ['an empty message', json({ data: null, errors: [{ message: '' }] }), FALLBACK],
    ['a blank message', json({ data: null, errors: [{ message: ' ' }] }), FALLBACK],
    ['an empty message before another', json({ errors: [{ message: '' }, { message: 'No.' }] }), 'No.'],
    ['an HTML page of a proxy', new Response('<h1>Bad Gateway</h1>', { status: 502 }), FALLBACK],
    ['a message', json({ errors: [{ message: 'No.' }] }, { status: 429 }), 'No.'],
    [
      'a lost network',
      new TypeError('Failed to fetch'),
      `${FALLBACK}. Please check your connection and try again.`,
    ],
  ])('turns %s into %3$s', async (_, answer, message) => {
    expect(describeFormFailure(await getError(answer), intl, 'auth.signInFailed')).toBe(message);
  });

  test('never shows the message of a programming error', () => {
    expect(describeFormFailure(new TypeError('x is not a function'), intl, 'auth.signInFailed')).toBe(
      FALLBACK,
    );
  });
});

test('returns the fallback, not the default text of Apollo, for an error without a message', async () => {
  expect(await getMessage(json({ data: null, errors: [{ message: '' }] }))).toBe(
    'Something went wrong. Please try again.',
  );
});

test('returns the message of any other error', () => {
  expect(describeError(new Error('The sail is torn.'), intl, 'forms.failed')).toBe('The sail is torn.');
});

test.each([[new Error('')], ['a text'], [undefined]])('returns the fallback for %j', (error) => {
  expect(describeError(error, intl, 'forms.failed')).toBe('Something went wrong. Please try again.');
});

test('getServerErrors returns the errors with their code and field', async () => {
  const about = [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT', field: 'email' } }];
  expect(getServerErrors(await getError(json({ errors: about }, { status: 400 })))).toEqual(about);
});
