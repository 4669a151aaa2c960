import { createIntl } from 'react-intl';
import { expect, test } from 'vitest';

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

const plain = { type: 'application/json' };
const errors = [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT', field: 'email' } }];
const lost = new TypeError('Failed to fetch');
const gateway = () => new Response('<h1>Bad Gateway</h1>', { status: 502 });

const FALLBACK = 'An error occurred during sign in';
const UNREACHABLE = 'We can’t reach the server. Please check your connection and try again.';

test.each([
  ['an error', json({ data: null, errors: [...errors, { message: 'Besides.' }] }), 'No.', 'No.'],
  ['an error in plain JSON', json({ errors }, { status: 503, ...plain }), 'No.', 'No.'],
  ['an error with another status', json({ errors }, { status: 429 }), 'No.', 'No.'],
  ['an HTML page of a proxy', gateway(), 'GraphQL Error (Code: 502)', FALLBACK],
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
  const chunk = Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
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
