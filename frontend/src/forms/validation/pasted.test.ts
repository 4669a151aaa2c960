import { expect, test } from 'vitest';

import table from './pasted.json';
import { findEmailError, unwrapEmail } from './email';
import { singleLineText } from './schemas';

const ERRORS = {
  required: 'auth.emailRequired',
  tooLong: 'auth.emailTooLong',
  invalid: 'auth.emailInvalid',
} as const;

const name = singleLineText({
  limit: 150,
  tooLong: 'auth.tooLong',
  invisible: 'auth.invisible',
  required: 'auth.firstNameRequired',
  tooShort: 'auth.firstNameTooShort',
});

// tests/test_pasted_text.py has the same table for the server.
test.each(table.addresses)('the address %j becomes %j', (pasted, address) => {
  const email = unwrapEmail(pasted ?? '');
  expect(findEmailError(email, ERRORS) ? null : email).toBe(address);
});

test.each(table.names)('the name %j becomes %j', (pasted, expected) => {
  expect(name.isValidSync(pasted)).toBe(expected !== null);
  if (expected !== null) expect(name.cast(pasted)).toBe(expected);
});
