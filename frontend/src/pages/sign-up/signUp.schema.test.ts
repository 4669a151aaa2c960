import { expect, test } from 'vitest';

import { findErrors } from '../../test/validation';
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

const findSignUpErrors = (values: Partial<SignUpValues>) => findErrors(signUpSchema, { ...GOOD, ...values });

const license = (captainLicenseNumber: string) => ({ captainLicense: true, captainLicenseNumber });

test.each<[Partial<SignUpValues>, string, string]>([
  [{ lastName: 'N' }, 'lastName', 'auth.lastNameTooShort'],
  [{ email: 'anna' }, 'email', 'auth.emailInvalid'],
  [{ password: 'Sail1!a', confirmPassword: 'Sail1!a' }, 'password', 'auth.passwordTooShort'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
])('%j is refused at %s with %s only', (values, field, message) => {
  const errors = Object.entries(findSignUpErrors(values)).map(([name, { id }]) => [name, id]);
  expect(errors).toEqual([[field, message]]);
});

test.each<Partial<SignUpValues>>([
  {},
  { ...license('1'.repeat(64)), favoritePosition: 'Helmsman' },
  { captainLicense: false, captainLicenseNumber: 'C' },
  // Letters composed in another way.
  { password: 'Ku\u030an plave 1!', confirmPassword: 'K\u016fn plave 1!' },
])('%j is accepted', (values) => {
  expect(findSignUpErrors(values)).toEqual({});
});
