import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { type EmailErrors, findEmailError } from './email';

/** The most characters that accounts/models.py stores of a name, a nickname or a nationality. */
export const NAME_LIMIT = 150;

/** The most characters of a password (accounts/validation.py). */
export const PASSWORD_LIMIT = 128;

/** The fewest characters of a name and of a license number (spec section 9). */
const MIN_TEXT_LENGTH = 2;

/**
 * Line breaks, invisible characters and characters that change the writing direction, which can disguise a text
 * (Unicode Technical Report 36). The joiners U+200C and U+200D are part of Persian and Hindi names.
 */
const CONTROL = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Return the schema of an email. */
export function email(errors: EmailErrors) {
  return string()
    .default('')
    .trim()
    .test('email', (value, { createError }) => {
      const message = findEmailError(value, errors);
      return message === undefined || createError({ message });
    });
}

interface TextRules {
  limit: number;
  tooLong: MessageId;
  /** The error of control characters. */
  invisible: MessageId;
  /** The error of a blank value; without it the field is optional. */
  required?: MessageId;
  tooShort?: MessageId;
  /** The format of a value that is not blank, and the error of any other. */
  shape?: { pattern: RegExp; broken: MessageId };
}

/**
 * Return the schema of one line of text, trimmed and in Unicode NFC, as the server stores it.
 *
 * accounts/validation.py checks the same rules in the same order; the first broken one counts.
 */
export function singleLineText(rules: TextRules) {
  return string()
    .default('')
    .transform((value: string) => value.normalize('NFC').trim())
    .test('text', (value, { createError }) => {
      const message = findTextError(value, rules);
      return message === undefined || createError({ message });
    });
}

function findTextError(value: string, { limit, tooLong, invisible, required, tooShort, shape }: TextRules) {
  const length = countCharacters(value);
  if (length > limit) return tooLong;
  if (CONTROL.test(value)) return invisible;
  if (length === 0) return required;
  if (length < MIN_TEXT_LENGTH && tooShort) return tooShort;
  return shape && !shape.pattern.test(value) ? shape.broken : undefined;
}

interface PasswordRules {
  required: MessageId;
  minLength: number;
  tooShort: MessageId;
  tooLong: MessageId;
}

/** Return the schema of a password, which is never trimmed. */
export function password({ required, minLength, tooShort, tooLong }: PasswordRules) {
  return string()
    .default('')
    .required(required)
    .test('min', tooShort, (value) => countCharacters(value) >= minLength)
    .test('max', tooLong, (value) => countCharacters(value) <= PASSWORD_LIMIT);
}

/** Count code points in Unicode NFC, as the server does: an emoji is one character, and so is "é". */
export function countCharacters(text: string): number {
  return Array.from(text.normalize()).length;
}
