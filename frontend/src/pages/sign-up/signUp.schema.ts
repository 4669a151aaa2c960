import { boolean, type InferType, object, string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { newPassword } from '../../forms/validation/newPassword';
import { email, NAME_LIMIT, singleLineText } from '../../forms/validation/schemas';

/** The most characters that accounts/models.py stores of a license number. */
export const LICENSE_LIMIT = 64;

const text = {
  tooLong: 'auth.tooLong',
  invisible: 'auth.invisible',
} as const satisfies Record<string, MessageId>;

const licenseNumber = singleLineText({
  ...text,
  limit: LICENSE_LIMIT,
  required: 'auth.licenseNumberRequired',
  tooShort: 'auth.licenseNumberTooShort',
});

/** The rules of spec section 5, Sign-up. */
export const signUpSchema = object({
  firstName: singleLineText({
    ...text,
    limit: NAME_LIMIT,
    required: 'auth.firstNameRequired',
    tooShort: 'auth.firstNameTooShort',
  }),
  lastName: singleLineText({
    ...text,
    limit: NAME_LIMIT,
    required: 'auth.lastNameRequired',
    tooShort: 'auth.lastNameTooShort',
  }),
  email: email({
    required: 'auth.emailRequired',
    tooLong: 'auth.emailTooLong',
    invalid: 'auth.emailInvalid',
  }),
  password: newPassword(),
  confirmPassword: string()
    .default('')
    .required('auth.confirmPasswordRequired')
    .test('same', 'auth.passwordsDiffer', (value, { parent }) => {
      const { password: chosen = '' } = parent as { password?: string };
      return value.normalize() === chosen.normalize();
    }),
  captainLicense: boolean().default(false),
  // Without a license the number is neither validated nor sent.
  captainLicenseNumber: string()
    .default('')
    .when('captainLicense', { is: true, then: () => licenseNumber }),
  favoritePosition: string().default(''),
});

export type SignUpValues = InferType<typeof signUpSchema>;
