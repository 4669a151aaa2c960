import type { MessageId } from '../../i18n/catalogues';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
export const EMAIL_LIMIT = 254;

/** A basic shape (spec section 5); accounts/validation.py checks more. */
const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export interface EmailErrors {
  required: MessageId;
  tooLong: MessageId;
  invalid: MessageId;
}

/** Return the message id of the first rule that a trimmed email breaks. */
export function findEmailError(email: string, errors: EmailErrors): MessageId | undefined {
  if (email === '') return errors.required;
  if (email.length > EMAIL_LIMIT) return errors.tooLong;
  return EMAIL_SHAPE.test(email) ? undefined : errors.invalid;
}
