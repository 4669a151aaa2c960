import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { expect, test } from 'vitest';

import { failureOf } from './failure';

function serverError(status: number, body: string) {
  return new ServerError('failed', { response: new Response(body, { status }), bodyText: body });
}

test('the first error that the server names is shown, with its field', () => {
  const error = new CombinedGraphQLErrors({
    errors: [{ message: 'Email is required', extensions: { field: 'email' } }, { message: 'second' }],
  });
  expect(failureOf(error, 'otherwise')).toEqual({ message: 'Email is required', field: 'email' });
});

test('an error in the body of a failed request is shown', () => {
  const body = JSON.stringify({ errors: [{ message: 'Too many attempts.' }] });
  expect(failureOf(serverError(429, body), 'otherwise')).toEqual({ message: 'Too many attempts.' });
});

test('a failed request without errors is shown by its status', () => {
  expect(failureOf(serverError(502, '<html>'), 'otherwise')).toEqual({
    message: 'GraphQL Error (Code: 502)',
  });
});

test('a lost network is shown by the given message', () => {
  expect(failureOf(new TypeError('Failed to fetch'), 'otherwise')).toEqual({ message: 'otherwise' });
});
