import { type InferType, object } from 'yup';

import { email } from '../../forms/validation/email';
import { password } from '../../forms/validation/password';

/** What signs a member in (spec section 5, Sign-in). */
export const signInSchema = object({
  email: email({
    required: 'auth.emailRequired',
    tooLong: 'auth.emailTooLong',
    invalid: 'auth.emailInvalid',
  }),
  password: password({
    required: 'auth.passwordRequired',
    shortest: 6,
    tooShort: 'auth.signInPasswordTooShort',
    tooLong: 'auth.passwordTooLong',
  }),
});

export type SignInValues = InferType<typeof signInSchema>;
