import { boolean, type InferType, object, string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { email, NAME_LIMIT, password, singleLineText } from '../../forms/validation/schemas';
import { REQUIRED_CHARACTERS, MIN_PASSWORD_LENGTH } from './password';

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
  password: REQUIRED_CHARACTERS.reduce(
    (schema, { label, missing, isMet }) => schema.test(label, missing, isMet),
    password({
      required: 'auth.passwordRequired',
      minLength: MIN_PASSWORD_LENGTH,
      tooShort: 'auth.passwordTooShort',
      tooLong: 'auth.passwordTooLong',
    }),
  ),
  confirmPassword: string()
    .default('')
    .required('auth.confirmPasswordRequired')
    .test('same', 'auth.passwordsDiffer', (value, { parent }) => {
      const { password: chosen = '' } = parent as { password?: string };
      return value === chosen;
    }),
  captainLicense: boolean().default(false),
  // Without a license the number is neither validated nor sent.
  captainLicenseNumber: string()
    .default('')
    .when('captainLicense', { is: true, then: () => licenseNumber }),
  favoritePosition: string().default(''),
});

export type SignUpValues = InferType<typeof signUpSchema>;
