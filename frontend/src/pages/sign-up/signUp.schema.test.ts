import { expect, test } from 'vitest';
import { ValidationError } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import type { FieldError } from '../../forms/validation/email';
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
  [{ lastName: 'N' }, 'lastName', 'auth.lastNameTooShort'],
  [{ lastName: 'a'.repeat(151) }, 'lastName', 'auth.tooLong'],
  [{ email: 'anna' }, 'email', 'auth.emailInvalid'],
  [{ password: 'Sail1!a', confirmPassword: 'Sail1!a' }, 'password', 'auth.passwordTooShort'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
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
