import { expect, test } from 'vitest';

import type { FieldError } from '../../forms/validation/email';
import { profileSchema, type ProfileValues } from './ProfileForm';

const JANA: ProfileValues = {
  firstName: 'Jana',
  lastName: 'Nováková',
  nickname: '',
  nationality: '',
  phone: '',
};

const isValid = (values: Partial<ProfileValues>) => profileSchema.isValidSync({ ...JANA, ...values });

test.each([
  '123456789',
  '+123456789',
  '123456789a',
  '++1234567890',
  '1234567890+',
  '12345.67890',
  '٠١٢٣٤٥٦٧٨٩',
  '1'.repeat(33),
])('the phone number %j is refused', (phone) => {
  expect(isValid({ phone })).toBe(false);
});

test.each<Partial<ProfileValues>>([
  { firstName: 'á'.repeat(150), lastName: 'Nováková-Černá' },
  { nickname: 'J', nationality: 'á'.repeat(150) },
  { phone: '1234567890' },
  { phone: '+1234567890' },
  { phone: ' +420 (777) 123-456 ' },
  { phone: '---- ---- ()' },
  { phone: '1'.repeat(32) },
  { phone: '   ' },
])('%j is accepted', (values) => {
  expect(isValid(values)).toBe(true);
});

test('every invalid field has its error at once', async () => {
  const broken = {
    firstName: '',
    lastName: 'N',
    nickname: 'á'.repeat(151),
    phone: '12',
  };
  const refusals = await profileSchema.validate(broken, { abortEarly: false }).then(
    () => [],
    (error: unknown) => (error as { inner: { path: string; message: FieldError }[] }).inner,
  );
  expect(Object.fromEntries(refusals.map(({ path, message }) => [path, message.id]))).toEqual({
    firstName: 'auth.firstNameRequired',
    lastName: 'auth.lastNameTooShort',
    nickname: 'auth.tooLong',
    phone: 'profile.phoneInvalid',
  });
});
