import { createIntl } from 'react-intl';
import { describe, expect, test } from 'vitest';

import { catalogues } from '../test/catalogues';
import { type Answer, json, serveGraphQL } from '../test/graphql';
import { client } from './client';
import { errorMessage, formFailure, serverErrors } from './errors';
import { SubscribeNewsletterDocument } from './generated';

const intl = createIntl({ locale: 'en-US', messages: catalogues.en });

/** What the client throws when the server answers so. */
async function errorOf(answer: Answer): Promise<unknown> {
  serveGraphQL(answer);
  const input = { email: 'jana@example.org', userType: 'sailor' };
  return client.mutate({ mutation: SubscribeNewsletterDocument, variables: { input } }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function messageOf(answer: Answer): Promise<string> {
  return errorMessage(await errorOf(answer), intl, 'newsletter.failed');
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
])('a response with errors gives the first error message: %s', async (_, answer) => {
  expect(await messageOf(answer)).toBe('Too many tries.');
});

test.each([
  ['a page of a proxy', new Response('<h1>Bad Gateway</h1>', { status: 502 }), 'GraphQL Error (Code: 502)'],
  [
    'JSON that says nothing',
    json({}, { status: 500, type: 'application/json' }),
    'GraphQL Error (Code: 500)',
  ],
  [
    'errors that are no list',
    json({ errors: 'none' }, { status: 400, type: 'application/json' }),
    'GraphQL Error (Code: 400)',
  ],
  ['no list at all', json(null, { status: 400, type: 'application/json' }), 'GraphQL Error (Code: 400)'],
  [
    'an answer cut off',
    new Response('{"data": {', { headers: { 'Content-Type': 'application/json' } }),
    'GraphQL Error (Code: 200)',
  ],
])('an answer without a message gives its status: %s', async (_, answer, message) => {
  expect(await messageOf(answer)).toBe(message);
});

test('a server out of reach is told in the words of the page, not of the browser', async () => {
  expect(await messageOf(new TypeError('Failed to fetch'))).toBe(
    'The server cannot be reached. Please check your connection and try again.',
  );
});

test('a file of the program that did not come is told in the words of the page too', () => {
  const error = Object.assign(new Error('Loading chunk session failed.'), { name: 'ChunkLoadError' });
  expect(errorMessage(error, intl, 'newsletter.failed')).toBe(
    'The server cannot be reached. Please check your connection and try again.',
  );
});

describe('a form whose row of section 8 is the server message or the fallback', () => {
  const FALLBACK = 'An error occurred during sign in';

  test.each([
    ['an empty message', json({ data: null, errors: [{ message: '' }] }), FALLBACK],
    ['a blank message', json({ data: null, errors: [{ message: ' ' }] }), FALLBACK],
    ['an empty message before another', json({ errors: [{ message: '' }, { message: 'No.' }] }), 'No.'],
    ['a page of a proxy', new Response('<h1>Bad Gateway</h1>', { status: 502 }), FALLBACK],
    ['a message', json({ errors: [{ message: 'No.' }] }, { status: 429 }), 'No.'],
    [
      'a lost network',
      new TypeError('Failed to fetch'),
      `${FALLBACK}. Please check your connection and try again.`,
    ],
  ])('%s is told as %3$s', async (_, answer, message) => {
    expect(formFailure(await errorOf(answer), intl, 'auth.signInFailed')).toBe(message);
  });

  test('a file of the program that did not come is told as a lost network', () => {
    const error = Object.assign(new Error('Loading chunk session failed.'), { name: 'ChunkLoadError' });
    expect(formFailure(error, intl, 'auth.signInFailed')).toBe(
      `${FALLBACK}. Please check your connection and try again.`,
    );
  });

  test('an error of ours is never shown', () => {
    expect(formFailure(new TypeError('x is not a function'), intl, 'auth.signInFailed')).toBe(FALLBACK);
  });

  test('reads in Czech', async () => {
    const czech = createIntl({ locale: 'cs-CZ', messages: catalogues.cs });
    const told = formFailure(await errorOf(new TypeError('x')), czech, 'auth.signInFailed');
    expect(told.replaceAll('\u00a0', ' ')).toBe(
      'Při přihlašování došlo k chybě. Zkontrolujte prosím připojení a zkuste to znovu.',
    );
  });
});

test('an error without words gives the fallback, not the words that Apollo has for it', async () => {
  expect(await messageOf(json({ data: null, errors: [{ message: '' }] }))).toBe(
    'Something went wrong. Please try again.',
  );
});

test('any other error gives its message', () => {
  expect(errorMessage(new Error('The sail is torn.'), intl, 'newsletter.failed')).toBe('The sail is torn.');
});

test.each([[new Error('')], ['a text'], [undefined]])(
  '%j, which has no message, gives the fallback',
  (error) => {
    expect(errorMessage(error, intl, 'newsletter.failed')).toBe('Something went wrong. Please try again.');
  },
);

test("the server's errors come with their code and the field that they are about", async () => {
  const about = [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT', field: 'email' } }];
  expect(serverErrors(await errorOf(json({ errors: about }, { status: 400 })))).toEqual(about);
});

test('a call that failed in another way has no errors of the server', async () => {
  expect(serverErrors(await errorOf(new TypeError('Failed to fetch')))).toEqual([]);
  expect(serverErrors(undefined)).toEqual([]);
});
