import { expect, test } from 'vitest';

import { findErrors } from '../../test/validation';
import type { FieldError } from './email';
import { email, newPassword, password, singleLineText } from './schemas';

const name = singleLineText({
  limit: 150,
  required: 'auth.firstNameRequired',
  tooShort: 'auth.firstNameTooShort',
});
const nickname = singleLineText({ limit: 150 });
const phone = singleLineText({
  limit: 32,
  shape: { pattern: /^[0-9 ]+$/, broken: 'profile.phoneInvalid' },
});

const SCHEMAS = {
  name,
  nickname,
  phone,
  email: email(),
  password: password(6, 'auth.signInPasswordTooShort'),
  newPassword: newPassword(),
};

test.each<[keyof typeof SCHEMAS, string, FieldError['id'], number?]>([
  ['name', ' ', 'auth.firstNameRequired'],
  ['name', ' A ', 'auth.firstNameTooShort'],
  ['name', '🚤', 'auth.firstNameTooShort'],
  // A letter and its accent, which Unicode NFC makes one.
  ['name', 'A\u0301', 'auth.firstNameTooShort'],
  ['name', 'a'.repeat(151), 'auth.tooLong', 150],
  ['phone', '123a', 'profile.phoneInvalid'],
  ['phone', '1'.repeat(33), 'auth.tooLong', 32],
  ['email', ' ', 'forms.emailRequired'],
  ['email', 'anna@example', 'auth.emailInvalid'],
  ['email', `${'a'.repeat(243)}@example.org`, 'forms.emailTooLong', 254],
  ['password', '', 'auth.passwordRequired'],
  ['password', '12345', 'auth.signInPasswordTooShort'],
  ['password', 'x'.repeat(129), 'auth.passwordTooLong', 128],
  // The errors of a new password come in the order of the specification.
  ['newPassword', '#', 'auth.passwordTooShort'],
  ['newPassword', 'Sai1!au\u030a', 'auth.passwordTooShort'],
  ['newPassword', `aA1!${'x'.repeat(125)}`, 'auth.passwordTooLong', 128],
  ['newPassword', '########', 'auth.lowercaseMissing'],
  ['newPassword', '########a', 'auth.uppercaseMissing'],
  ['newPassword', '########aA', 'auth.numberMissing'],
  ['newPassword', 'Sailing1#-_', 'auth.specialMissing'],
  // Letters with an accent are not the required ones.
  ['newPassword', 'ŠÍŘE-š1!A', 'auth.lowercaseMissing'],
])('%s %j is refused with %s', (schema, value, id, limit) => {
  expect(findErrors(SCHEMAS[schema], value)).toEqual({ '': { id, ...(limit && { values: { limit } }) } });
});

test.each<[keyof typeof SCHEMAS, string]>([
  ['name', 'Li'],
  ['name', '🚤'.repeat(150)],
  ['name', "O'Brien-Nováková ml."],
  // Joiners are part of Persian and Hindi names.
  ['name', 'علی\u200cرضا'],
  ['name', 'नि\u200dत्या'],
  ['nickname', ''],
  ['phone', '   '],
  ['email', ' anna@example.org '],
  ['email', 'Anna <anna@example.org>'], // the server removes the name
  ['email', `${'a'.repeat(242)}@example.org`],
  ['password', '123456'],
  ['newPassword', 'Aa1@aaaa'],
  ['newPassword', `aA1!${'x'.repeat(124)}`],
  ...['@', '$', '!', '%', '*', '?', '&'].map((special): ['newPassword', string] => [
    'newPassword',
    `Sailing1${special}`,
  ]),
])('%s %j is accepted', (schema, value) => {
  expect(findErrors(SCHEMAS[schema], value)).toEqual({});
});

test('text is trimmed, passwords are not', () => {
  expect(name.cast(' Nováková ')).toBe('Nováková');
  expect(SCHEMAS.password.cast(' Sailing1! ')).toBe(' Sailing1! ');
});
