import { createIntl } from 'react-intl';
import { expect, test } from 'vitest';
import { ValidationError } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { catalogues } from '../../test/catalogues';
import { POSITIONS } from './positions';
import { signUpSchema, type SignUpValues } from './signUp.schema';

const GOOD: SignUpValues = {
  firstName: 'Anna',
  lastName: 'Nováková',
  email: 'anna@example.org',
  password: 'Sailing1!',
  confirmPassword: 'Sailing1!',
  captainLicense: false,
  captainLicenseNumber: '',
  favoritePosition: '',
};

/** Return the first error of each invalid field. */
function findErrors(values: Partial<SignUpValues>): Record<string, string> {
  try {
    signUpSchema.validateSync({ ...GOOD, ...values }, { abortEarly: false });
    return {};
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const all = error.inner.map(({ path = '', message }) => [path, message] as const);
    return Object.fromEntries(all.reverse());
  }
}

const license = (captainLicenseNumber: string) => ({ captainLicense: true, captainLicenseNumber });
const withPassword = (password: string) => ({ password, confirmPassword: password });

test('valid values are accepted', () => {
  expect(findErrors({})).toEqual({});
  expect(findErrors({ ...license('CZ-1024'), favoritePosition: 'Helmsman' })).toEqual({});
});

test('the password may be repeated with letters composed in another way', () => {
  expect(findErrors({ password: 'Ku\u030an plave 1!', confirmPassword: 'K\u016fn plave 1!' })).toEqual({});
});

test.each<[Partial<SignUpValues>, string, string]>([
  [{ firstName: ' ' }, 'firstName', 'auth.firstNameRequired'],
  [{ firstName: 'A' }, 'firstName', 'auth.firstNameTooShort'],
  [{ firstName: ' A ' }, 'firstName', 'auth.firstNameTooShort'],
  [{ firstName: '🚤' }, 'firstName', 'auth.firstNameTooShort'],
  [{ firstName: 'a'.repeat(151) }, 'firstName', 'auth.tooLong'],
  [{ firstName: 'An\u0007na' }, 'firstName', 'auth.invisible'],
  [{ lastName: '' }, 'lastName', 'auth.lastNameRequired'],
  [{ lastName: 'N' }, 'lastName', 'auth.lastNameTooShort'],
  [{ lastName: 'a'.repeat(151) }, 'lastName', 'auth.tooLong'],
  [{ lastName: 'Nov\u202eák' }, 'lastName', 'auth.invisible'],
  [{ email: ' ' }, 'email', 'auth.emailRequired'],
  [{ email: 'anna' }, 'email', 'auth.emailInvalid'],
  [{ email: 'anna@example' }, 'email', 'auth.emailInvalid'],
  [{ email: `${'a'.repeat(243)}@example.org` }, 'email', 'auth.emailTooLong'],
  [withPassword('Sail1!a'), 'password', 'auth.passwordTooShort'],
  [withPassword('🚤🚤🚤aA1!'), 'password', 'auth.passwordTooShort'],
  [withPassword('Sai1!au\u030a'), 'password', 'auth.passwordTooShort'],
  [withPassword(`aA1!${'x'.repeat(125)}`), 'password', 'auth.passwordTooLong'],
  [withPassword('SAILING1!'), 'password', 'auth.lowercaseMissing'],
  [withPassword('sailing1!'), 'password', 'auth.uppercaseMissing'],
  [withPassword('Sailings!'), 'password', 'auth.numberMissing'],
  [withPassword('Sailings1'), 'password', 'auth.specialMissing'],
  // Not in the specification's list.
  [withPassword('Sailing1#-_'), 'password', 'auth.specialMissing'],
  [{ confirmPassword: '' }, 'confirmPassword', 'auth.confirmPasswordRequired'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(''), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
  [license('CZ\u0000-1'), 'captainLicenseNumber', 'auth.invisible'],
])('%j is refused at %s with %s only', (values, field, message) => {
  expect(findErrors(values)).toEqual({ [field]: message });
});

test('every invalid field has its first error at once', () => {
  expect(
    findErrors({
      firstName: '',
      lastName: '',
      email: '',
      password: '',
      confirmPassword: '',
      ...license(''),
    }),
  ).toEqual({
    firstName: 'auth.firstNameRequired',
    lastName: 'auth.lastNameRequired',
    email: 'auth.emailRequired',
    password: 'auth.passwordRequired',
    confirmPassword: 'auth.confirmPasswordRequired',
    captainLicenseNumber: 'auth.licenseNumberRequired',
  });
});

test('the errors of a password come in the order of the specification', () => {
  expect(findErrors(withPassword('#'))).toEqual({ password: 'auth.passwordTooShort' });
  expect(findErrors(withPassword('########'))).toEqual({ password: 'auth.lowercaseMissing' });
  expect(findErrors(withPassword('########a'))).toEqual({ password: 'auth.uppercaseMissing' });
  expect(findErrors(withPassword('########aA'))).toEqual({ password: 'auth.numberMissing' });
});

test('letters with an accent do not count as the required letters of a password', () => {
  expect(findErrors(withPassword('šílená1!A'))).toEqual({});
  expect(findErrors(withPassword('ŠÍŘE-š1!A'))).toEqual({ password: 'auth.lowercaseMissing' });
  expect(findErrors(withPassword('šíře-Š1!a'))).toEqual({ password: 'auth.uppercaseMissing' });
});

test.each<Partial<SignUpValues>>([
  { firstName: 'Li' },
  { firstName: 'a'.repeat(150) },
  { firstName: '🚤'.repeat(150) },
  { firstName: 'नि\u200dत्या' },
  { lastName: "O'Brien-Nováková ml." },
  { email: ' anna@example.org ' },
  { email: `${'a'.repeat(242)}@example.org` },
  withPassword('Aa1@aaaa'),
  withPassword(`aA1!${'x'.repeat(124)}`),
  license('CZ'),
  license('1'.repeat(64)),
  { captainLicense: false, captainLicenseNumber: 'C' },
])('%j is accepted', (values) => {
  expect(findErrors(values)).toEqual({});
});

test.each(['@', '$', '!', '%', '*', '?', '&'])('%s is a special character', (character) => {
  expect(findErrors(withPassword(`Sailing1${character}`))).toEqual({});
});

test('text is trimmed and normalized, passwords are not', () => {
  const values = signUpSchema.cast({
    ...GOOD,
    ...license(' CZ-1024 '),
    firstName: ' Anna ',
    lastName: 'Nova\u0301kova\u0301',
    email: ' anna@example.org ',
    password: ' Sailing1! ',
  });
  expect(values).toMatchObject({
    firstName: 'Anna',
    lastName: 'Nováková',
    email: 'anna@example.org',
    password: ' Sailing1! ',
    captainLicenseNumber: 'CZ-1024',
  });
});

test('the positions are the 14 of the specification', () => {
  const names = POSITIONS.map(({ value }) => value);
  expect(names).toEqual([
    'Bowman',
    'Mid bowman',
    'Mastman',
    'Pitman',
    'Trimer of jib',
    'Trimer of gennaker',
    'Trimer of spinnaker',
    'Co-trimer',
    'Mainsail trimer',
    'Helmsman',
    'Taktick',
    'Chef in kitchen',
    'Engine engineer',
    'Navigator',
  ]);
});

test.each<[MessageId, string]>([
  ['auth.firstNameRequired', 'First name is required'],
  ['auth.firstNameTooShort', 'First name must be at least 2 characters'],
  ['auth.lastNameRequired', 'Last name is required'],
  ['auth.lastNameTooShort', 'Last name must be at least 2 characters'],
  ['auth.tooLong', 'Please use at most 150 characters'],
  ['auth.invisible', 'Please remove the invisible control characters'],
  ['auth.emailRequired', 'Email is required'],
  ['auth.emailInvalid', 'Invalid email address'],
  ['auth.emailTooLong', 'Email must be at most 150 characters'],
  ['auth.passwordRequired', 'Password is required'],
  ['auth.passwordTooShort', 'Password must be at least 8 characters'],
  ['auth.passwordTooLong', 'Password must be at most 150 characters'],
  ['auth.lowercaseMissing', 'Must contain at least one lowercase letter'],
  ['auth.uppercaseMissing', 'Must contain at least one uppercase letter'],
  ['auth.numberMissing', 'Must contain at least one number'],
  ['auth.specialMissing', 'Must contain at least one special character (@$!%*?&)'],
  ['auth.confirmPasswordRequired', 'Please confirm your password'],
  ['auth.passwordsDiffer', 'Passwords do not match'],
  ['auth.licenseNumberRequired', 'License number is required when you have a captain license'],
  ['auth.licenseNumberTooShort', 'License number must be at least 2 characters'],
])('%s has the text of the specification', (id, text) => {
  const intl = createIntl({ locale: 'en', messages: catalogues.en });
  expect(intl.formatMessage({ id }, { limit: 150 })).toBe(text);
});
