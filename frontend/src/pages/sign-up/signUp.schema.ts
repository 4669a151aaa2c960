import { boolean, type InferType, object, string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { email, NAME_LIMIT, password, singleLineText } from '../../forms/validation/schemas';
import { NEEDED_CHARACTERS, MIN_PASSWORD_LENGTH } from './password';

/** The most characters of a license number: accounts/models.py has no room for more. */
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

/** What makes a visitor a member (spec section 5, Sign-up). A rule's message is told by its id. */
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
  password: NEEDED_CHARACTERS.reduce(
    (schema, { label, missing, isKept }) => schema.test(label, missing, isKept),
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
  // What was typed stays when the box is unticked; nobody judges or sends it then.
  captainLicenseNumber: string()
    .default('')
    .when('captainLicense', { is: true, then: () => licenseNumber }),
  favoritePosition: string().default(''),
});

export type SignUpValues = InferType<typeof signUpSchema>;
