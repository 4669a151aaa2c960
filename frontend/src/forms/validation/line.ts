import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';

/** The fewest characters of a name, and of a license number (spec section 9). */
export const SHORTEST = 2;

/** The most characters of a name, a nickname and a nationality: accounts/models.py has no room for more. */
export const NAME_LIMIT = 150;

/**
 * What breaks lines, hides, or turns the direction of writing, so that a text reads as another one (Unicode Technical
 * Report 36). The joiners U+200C and U+200D are part of Persian and Hindi names.
 */
const CONTROL = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

interface LineRules {
  limit: number;
  tooLong: MessageId;
  /** Said of control characters, which nobody sees and nobody types. */
  invisible: MessageId;
  /** Said of a blank value; without it the field may be left blank. */
  required?: MessageId;
  /** Said of a value that is shorter than the shortest name. */
  tooShort?: MessageId;
  /** How a value that is not blank has to look, and what is said of another. */
  shape?: { pattern: RegExp; broken: MessageId };
}

/**
 * One line of text about a member, trimmed and in one spelling (Unicode NFC), as the server keeps it. Its first broken
 * rule is told by the id of its message; accounts/validation.py checks the same rules in the same order.
 */
export function line(rules: LineRules) {
  return string()
    .default('')
    .transform((value: string) => value.normalize('NFC').trim())
    .test('line', (value, { createError }) => {
      const message = brokenRule(value, rules);
      return message === undefined || createError({ message });
    });
}

function brokenRule(value: string, { limit, tooLong, invisible, required, tooShort, shape }: LineRules) {
  // By code points, as the server counts: an emoji is one character.
  const { length } = Array.from(value);
  if (length > limit) return tooLong;
  if (CONTROL.test(value)) return invisible;
  if (length === 0) return required;
  if (length < SHORTEST && tooShort) return tooShort;
  return shape && !shape.pattern.test(value) ? shape.broken : undefined;
}
