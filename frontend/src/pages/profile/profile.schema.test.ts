import { describe, expect, test } from 'vitest';

import { profileSchema, type ProfileValues, toUpdateInput } from './profile.schema';

const JANA: ProfileValues = {
  firstName: 'Jana',
  lastName: 'Nováková',
  nickname: '',
  nationality: '',
  phone: '',
};

/** Return the message id of the error, or undefined for valid values. */
function findError(values: Partial<ProfileValues>): Promise<string | undefined> {
  return profileSchema.validate({ ...JANA, ...values }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

const long = (length: number) => 'á'.repeat(length);

test.each<[Partial<ProfileValues>, string]>([
  [{ firstName: '' }, 'profile.firstNameRequired'],
  [{ firstName: '   ' }, 'profile.firstNameRequired'],
  [{ firstName: 'J' }, 'profile.firstNameTooShort'],
  [{ firstName: ' J ' }, 'profile.firstNameTooShort'],
  // One character to the server, two to JavaScript.
  [{ firstName: '🚢' }, 'profile.firstNameTooShort'],
  // A letter and its accent, which Unicode NFC makes one.
  [{ firstName: 'A\u0301' }, 'profile.firstNameTooShort'],
  [{ firstName: long(151) }, 'profile.tooLong'],
  [{ firstName: 'Ja\u0007na' }, 'profile.invisible'],
  [{ lastName: '' }, 'profile.lastNameRequired'],
  [{ lastName: 'N' }, 'profile.lastNameTooShort'],
  [{ lastName: long(151) }, 'profile.tooLong'],
  [{ lastName: 'Nová\u202eková' }, 'profile.invisible'],
  [{ nickname: long(151) }, 'profile.tooLong'],
  [{ nickname: 'Ja\u061cna' }, 'profile.invisible'],
  [{ nationality: long(151) }, 'profile.tooLong'],
  [{ nationality: 'Czech\u2028Republic' }, 'profile.invisible'],
  [{ phone: '123456789' }, 'profile.phoneInvalid'],
  [{ phone: '+123456789' }, 'profile.phoneInvalid'],
  [{ phone: '123456789a' }, 'profile.phoneInvalid'],
  [{ phone: '++1234567890' }, 'profile.phoneInvalid'],
  [{ phone: '1234567890+' }, 'profile.phoneInvalid'],
  [{ phone: '12345.67890' }, 'profile.phoneInvalid'],
  [{ phone: '٠١٢٣٤٥٦٧٨٩' }, 'profile.phoneInvalid'],
  [{ phone: '1'.repeat(33) }, 'profile.tooLong'],
])('%j is refused with %s', async (values, message) => {
  expect(await findError(values)).toBe(message);
});

test.each<Partial<ProfileValues>>([
  { firstName: 'Jo' },
  { firstName: '🚢🚢' },
  { firstName: long(150) },
  { firstName: `  ${long(150)}  ` },
  { lastName: 'Nováková-Černá' },
  // Joiners are part of Persian and Hindi names.
  { lastName: 'علی\u200cرضا' },
  { nickname: 'J' },
  { nickname: long(150) },
  { nationality: 'Česká republika' },
  { phone: '1234567890' },
  { phone: '+1234567890' },
  { phone: ' +420 (777) 123-456 ' },
  { phone: '---- ---- ()' },
  { phone: '1'.repeat(32) },
  { phone: '   ' },
])('%j is accepted', async (values) => {
  expect(await findError(values)).toBeUndefined();
});

test('every invalid field has its error at once', async () => {
  const broken = { firstName: '', lastName: 'N', nickname: long(151), nationality: '\u0000', phone: '12' };
  const refusals = await profileSchema.validate(broken, { abortEarly: false }).then(
    () => [],
    (error: unknown) => (error as { inner: { path: string; message: string }[] }).inner,
  );
  expect(Object.fromEntries(refusals.map(({ path, message }) => [path, message]))).toEqual({
    firstName: 'profile.firstNameRequired',
    lastName: 'profile.lastNameTooShort',
    nickname: 'profile.tooLong',
    nationality: 'profile.invisible',
    phone: 'profile.phoneInvalid',
  });
});

describe('toUpdateInput', () => {
  const sent = (values: Partial<ProfileValues>) => toUpdateInput(profileSchema.cast({ ...JANA, ...values }));

  test('omits blank values', () => {
    expect(sent({ nickname: '  ', nationality: 'Czech' })).toEqual({
      firstName: 'Jana',
      lastName: 'Nováková',
      nationality: 'Czech',
    });
  });

  test('contains a blank value only for a removed field', () => {
    const values = profileSchema.cast({ ...JANA, nickname: ' ', nationality: '', phone: '777 123 456 78' });
    expect(toUpdateInput(values, ['nickname', 'phone'])).toEqual({
      firstName: 'Jana',
      lastName: 'Nováková',
      nickname: '',
      phone: '777 123 456 78',
    });
  });

  test('contains trimmed values', () => {
    expect(sent({ firstName: '\u00a0Jana ', phone: ' 777 123 456 78 ' })).toMatchObject({
      firstName: 'Jana',
      phone: '777 123 456 78',
    });
  });
});
