import { expect, test } from 'vitest';
import { ValidationError } from 'yup';

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

/** What is wrong with a form so filled in: of each bad field the first message that its rules give. */
function refusalsOf(values: Partial<SignUpValues>): Record<string, string> {
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
const chosen = (password: string) => ({ password, confirmPassword: password });

test('what keeps every rule is taken', () => {
  expect(refusalsOf({})).toEqual({});
  expect(refusalsOf({ ...license('CZ-1024'), favoritePosition: 'Helmsman' })).toEqual({});
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
  [chosen('Sail1!a'), 'password', 'auth.passwordTooShort'],
  [chosen('🚤🚤🚤aA1!'), 'password', 'auth.passwordTooShort'],
  [chosen(`aA1!${'x'.repeat(125)}`), 'password', 'auth.passwordTooLong'],
  [chosen('SAILING1!'), 'password', 'auth.lowercaseMissing'],
  [chosen('sailing1!'), 'password', 'auth.uppercaseMissing'],
  [chosen('Sailings!'), 'password', 'auth.numberMissing'],
  [chosen('Sailings1'), 'password', 'auth.specialMissing'],
  // None of these stands in the specification's list.
  [chosen('Sailing1#-_'), 'password', 'auth.specialMissing'],
  [{ confirmPassword: '' }, 'confirmPassword', 'auth.confirmPasswordRequired'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(''), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
  [license('CZ\u0000-1'), 'captainLicenseNumber', 'auth.invisible'],
])('%j is refused: %s with %s, and nothing else', (values, field, message) => {
  expect(refusalsOf(values)).toEqual({ [field]: message });
});

test('all that is wrong is told at once, of each field its first broken rule', () => {
  expect(
    refusalsOf({
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

test('a password that breaks several rules hears of them in the order of the specification', () => {
  expect(refusalsOf(chosen('#'))).toEqual({ password: 'auth.passwordTooShort' });
  expect(refusalsOf(chosen('########'))).toEqual({ password: 'auth.lowercaseMissing' });
  expect(refusalsOf(chosen('########a'))).toEqual({ password: 'auth.uppercaseMissing' });
  expect(refusalsOf(chosen('########aA'))).toEqual({ password: 'auth.numberMissing' });
});

test('letters with an accent are not those that a password needs, as on the server', () => {
  expect(refusalsOf(chosen('šílená1!A'))).toEqual({});
  expect(refusalsOf(chosen('ŠÍŘE-š1!A'))).toEqual({ password: 'auth.lowercaseMissing' });
  expect(refusalsOf(chosen('šíře-Š1!a'))).toEqual({ password: 'auth.uppercaseMissing' });
});

test.each<Partial<SignUpValues>>([
  { firstName: 'Li' },
  { firstName: 'a'.repeat(150) },
  { firstName: '🚤'.repeat(150) },
  { firstName: 'नि\u200dत्या' },
  { lastName: "O'Brien-Nováková ml." },
  { email: ' anna@example.org ' },
  { email: `${'a'.repeat(242)}@example.org` },
  chosen('Aa1@aaaa'),
  chosen(`aA1!${'x'.repeat(124)}`),
  license('CZ'),
  license('1'.repeat(64)),
  { captainLicense: false, captainLicenseNumber: 'C' },
])('%j is taken', (values) => {
  expect(refusalsOf(values)).toEqual({});
});

test.each(['@', '$', '!', '%', '*', '?', '&'])('%s is a special character', (character) => {
  expect(refusalsOf(chosen(`Sailing1${character}`))).toEqual({});
});

test('texts are sent trimmed and in one spelling, passwords as they are', () => {
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

test('there are the 14 positions of the specification', () => {
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
