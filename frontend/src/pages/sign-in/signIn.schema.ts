import { type InferType, object } from 'yup';

import { email, password } from '../../forms/validation/schemas';

/** The rules of spec section 5, Sign-in. */
export const signInSchema = object({
  email: email({
    required: 'auth.emailRequired',
    tooLong: 'auth.emailTooLong',
    invalid: 'auth.emailInvalid',
  }),
  password: password({
    required: 'auth.passwordRequired',
    minLength: 6,
    tooShort: 'auth.signInPasswordTooShort',
    tooLong: 'auth.passwordTooLong',
  }),
});

export type SignInValues = InferType<typeof signInSchema>;
