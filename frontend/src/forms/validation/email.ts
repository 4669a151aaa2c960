import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
export const EMAIL_LIMIT = 254;

/** A basic shape (spec section 5); the server looks closer. */
const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface EmailMessages {
  required: MessageId;
  tooLong: MessageId;
  invalid: MessageId;
}

/** The rules of an email, each with the id of the message that tells of it. */
export function email({ required, tooLong, invalid }: EmailMessages) {
  return string()
    .default('')
    .trim()
    .required(required)
    .max(EMAIL_LIMIT, tooLong)
    .matches(EMAIL_SHAPE, invalid);
}
