import { expect, test } from 'vitest';

import { findErrors } from '../../test/validation';
import { profileSchema } from './ProfileForm';

const JANA = { firstName: 'Jana', lastName: 'Nováková', nickname: '', nationality: '', phone: '' };

test.each([
  ['123456789', false],
  ['+123456789', false],
  ['123456789a', false],
  ['++1234567890', false],
  ['12345.67890', false],
  ['٠١٢٣٤٥٦٧٨٩', false],
  ['1'.repeat(33), false],
  ['1'.repeat(32), true],
  ['+1234567890', true],
  [' +420 (777) 123-456 ', true],
  ['   ', true],
])('the phone number %j is valid: %s', (phone, isValid) => {
  expect(Object.keys(findErrors(profileSchema, { ...JANA, phone }))).toEqual(isValid ? [] : ['phone']);
});

test('every invalid field has its error at once', () => {
  const broken = { firstName: '', lastName: 'N', nickname: 'á'.repeat(151), nationality: '', phone: '12' };
  expect(findErrors(profileSchema, broken)).toMatchObject({
    firstName: { id: 'auth.firstNameRequired' },
    lastName: { id: 'auth.lastNameTooShort' },
    nickname: { id: 'auth.tooLong' },
    phone: { id: 'profile.phoneInvalid' },
  });
});
