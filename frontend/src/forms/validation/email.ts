import type { MessageId } from '../../i18n/catalogues';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
const EMAIL_LIMIT = 254;

/** What contains an address (spec section 5); the server removes what is copied with it, and checks more. */
const EMAIL_SHAPE = /[^\s@]@[^\s@]+\.[^\s@]/;

/** What every field for an email has. */
export const EMAIL_ATTRIBUTES = {
  type: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

/** The message of an error of a field, as `formatMessage` takes it. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- Yup takes no interface
export type FieldError = { id: MessageId; values?: { limit: number } };

/** Return the error of the first rule that an email breaks. */
export function findEmailError(
  email: string,
  invalid: MessageId = 'forms.emailInvalid',
): FieldError | undefined {
  if (email === '') return { id: 'forms.emailRequired' };
  if (email.length > EMAIL_LIMIT) return { id: 'forms.emailTooLong', values: { limit: EMAIL_LIMIT } };
  return EMAIL_SHAPE.test(email) ? undefined : { id: invalid };
}
