import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { type EmailErrors, findEmailError, unwrapEmail } from './email';

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

/**
 * What phones, chats and web pages leave in a copied text: other spaces, marks of a possible line break, and, around it,
 * invisible characters and marks of the writing direction. sailing/input_limits.py has the same.
 */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const ZERO_WIDTH = /[\u00ad\u180e\u200b\u2060\ufeff]/g;
const EDGE = String.raw`[\s\u115f\u1160\u200c-\u200f\u202a-\u202c\u2066-\u2069\u2800\u3164\uffa0]+`;
const EDGES = new RegExp(`^${EDGE}|${EDGE}$`, 'g');
/** What is copied together with a name: the comma of a list, and quotes around it. */
const NAME_EDGES = /^[ ,;]+|[ ,;]+$/g;
const QUOTED = /^["„“”«»](.*)["„“”«»]$/s;

/** Return the schema of an email. */
export function email(errors: EmailErrors) {
  return string()
    .default('')
    .transform(unwrapEmail)
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
 * Return the schema of one line of text as the server stores it: in Unicode NFC, trimmed, without remains of copying.
 *
 * accounts/validation.py checks the same rules in the same order; the first broken one counts.
 */
export function singleLineText(rules: TextRules) {
  return string()
    .default('')
    .transform((value: string) => {
      const text = value.replace(ZERO_WIDTH, '').replace(SPACES, ' ').normalize().replace(EDGES, '');
      return rules.required ? unwrapName(text) : text;
    })
    .test('text', (value, { createError }) => {
      const message = findTextError(value, rules);
      return message === undefined || createError({ message });
    });
}

function unwrapName(text: string): string {
  return text.replace(NAME_EDGES, '').replace(QUOTED, '$1').replace(NAME_EDGES, '');
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
