import { createIntl } from 'react-intl';
import { expect, test } from 'vitest';
import { ValidationError } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import type { FieldError } from '../../forms/validation/email';
import { catalogues } from '../../test/catalogues';
import { POSITIONS, signUpSchema, type SignUpValues } from './signUp.schema';

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
function findErrors(values: Partial<SignUpValues>): Record<string, MessageId> {
  try {
    signUpSchema.validateSync({ ...GOOD, ...values }, { abortEarly: false });
    return {};
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const all = error.inner.map(
      ({ path = '', message }) => [path, (message as unknown as FieldError).id] as const,
    );
    return Object.fromEntries(all.reverse());
  }
}

const license = (captainLicenseNumber: string) => ({ captainLicense: true, captainLicenseNumber });

test('valid values are accepted', () => {
  expect(findErrors({})).toEqual({});
  expect(findErrors({ ...license('CZ-1024'), favoritePosition: 'Helmsman' })).toEqual({});
});

test.each<[Partial<SignUpValues>, string, string]>([
  [{ firstName: 'A' }, 'firstName', 'auth.firstNameTooShort'],
  [{ firstName: 'An\u0007na' }, 'firstName', 'auth.invisible'],
  [{ lastName: 'N' }, 'lastName', 'auth.lastNameTooShort'],
  [{ lastName: 'a'.repeat(151) }, 'lastName', 'auth.tooLong'],
  [{ email: 'anna' }, 'email', 'auth.emailInvalid'],
  [{ password: 'Sail1!a', confirmPassword: 'Sail1!a' }, 'password', 'auth.passwordTooShort'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
  [license('CZ\u0000-1'), 'captainLicenseNumber', 'auth.invisible'],
])('%j is refused at %s with %s only', (values, field, message) => {
  expect(findErrors(values)).toEqual({ [field]: message });
});

test.each<Partial<SignUpValues>>([
  { firstName: 'a'.repeat(150) },
  // Letters composed in another way.
  { password: 'Ku\u030an plave 1!', confirmPassword: 'K\u016fn plave 1!' },
  license('1'.repeat(64)),
  { captainLicense: false, captainLicenseNumber: 'C' },
])('%j is accepted', (values) => {
  expect(findErrors(values)).toEqual({});
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
