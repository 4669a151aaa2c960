import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';

/** The most characters of a password: accounts/validation.py takes no more. */
export const PASSWORD_LIMIT = 128;

interface PasswordRules {
  required: MessageId;
  shortest: number;
  tooShort: MessageId;
  tooLong: MessageId;
}

/** The rules of every password, each with the id of the message that tells of it. It is taken as it is typed. */
export function password({ required, shortest, tooShort, tooLong }: PasswordRules) {
  return string()
    .default('')
    .required(required)
    .test('shortest', tooShort, (value) => lengthOf(value) >= shortest)
    .test('longest', tooLong, (value) => lengthOf(value) <= PASSWORD_LIMIT);
}

/** The characters of a password, as the server counts them: a letter beyond U+FFFF is one. */
export function lengthOf(password: string): number {
  return Array.from(password).length;
}
