import { string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { type FieldError, findEmailError } from './email';

/** The most characters that accounts/models.py stores of a name. */
const NAME_LIMIT = 150;

/** The most characters of a password (accounts/validation.py). */
const PASSWORD_LIMIT = 128;

/** The fewest characters of a name and of a license number, and of a new password (spec section 9). */
const MIN_TEXT_LENGTH = 2;
const MIN_PASSWORD_LENGTH = 8;

/** Return the schema of a text, trimmed, with the error of the first rule that it breaks. */
function trimmedText(findError: (text: string) => FieldError | undefined) {
  return string()
    .default('')
    .trim()
    .test('text', (value, { createError }) => {
      const message = findError(value);
      return message === undefined || createError({ message });
    });
}

export const email = () => trimmedText((value) => findEmailError(value, 'auth.emailInvalid'));

interface TextRules {
  limit: number;
  /** The error of a blank value; without it the field is optional. */
  required?: MessageId;
  tooShort?: MessageId;
  /** The format of a value that is not blank, and the error of any other. */
  shape?: { pattern: RegExp; broken: MessageId };
}

/**
 * Return the schema of one line of text. accounts/validation.py removes remains of copying, and checks the same rules in the
 * same order.
 */
export function singleLineText({ limit, required, tooShort, shape }: TextRules) {
  return trimmedText((value) => {
    const length = countCharacters(value);
    if (length > limit) return { id: 'auth.tooLong', values: { limit } };
    if (length === 0) return required && { id: required };
    if (length < MIN_TEXT_LENGTH && tooShort) return { id: tooShort };
    return shape && !shape.pattern.test(value) ? { id: shape.broken } : undefined;
  });
}

const name = (required: MessageId, tooShort: MessageId) =>
  singleLineText({ limit: NAME_LIMIT, required, tooShort });

/** The schemas of a member's names. */
export const names = {
  firstName: name('auth.firstNameRequired', 'auth.firstNameTooShort'),
  lastName: name('auth.lastNameRequired', 'auth.lastNameTooShort'),
};

/** Return the schema of a password, which is never trimmed. */
export function password(minLength: number, tooShort: MessageId) {
  const limit = PASSWORD_LIMIT;
  return string()
    .default('')
    .required({ id: 'auth.passwordRequired' } satisfies FieldError)
    .test('min', { id: tooShort }, (value) => countCharacters(value) >= minLength)
    .test(
      'max',
      { id: 'auth.passwordTooLong', values: { limit } } satisfies FieldError,
      (value) => countCharacters(value) <= limit,
    );
}

/**
 * Attributes of the inputs of a new password, so that password managers propose one that is accepted
 * (developer.apple.com/documentation/security/customizing-password-autofill-rules).
 */
export const NEW_PASSWORD_ATTRIBUTES = {
  autoComplete: 'new-password',
  minLength: MIN_PASSWORD_LENGTH,
  passwordrules:
    `minlength: ${MIN_PASSWORD_LENGTH}; maxlength: ${PASSWORD_LIMIT};` +
    ' required: lower; required: upper; required: digit; required: [@$!%*?&];',
};

/** The kinds of characters that a new password needs, each with the error when missing, in the order of spec section 5. */
const REQUIRED_CHARACTERS = [
  { label: 'auth.ruleLowercase', missing: 'auth.lowercaseMissing', pattern: /[a-z]/ },
  { label: 'auth.ruleUppercase', missing: 'auth.uppercaseMissing', pattern: /[A-Z]/ },
  { label: 'auth.ruleNumber', missing: 'auth.numberMissing', pattern: /[0-9]/ },
  { label: 'auth.ruleSpecial', missing: 'auth.specialMissing', pattern: /[@$!%*?&]/ },
] as const;

/** Return the rules of a new password, which are listed below the field, each with whether it is met. */
export function checkNewPassword(password: string): { label: MessageId; isMet: boolean }[] {
  return [
    { label: 'auth.ruleLength', isMet: countCharacters(password) >= MIN_PASSWORD_LENGTH },
    ...REQUIRED_CHARACTERS.map(({ label, pattern }) => ({ label, isMet: pattern.test(password) })),
  ];
}

/** Return the schema of a new password (spec section 5, Sign-up). */
export function newPassword() {
  return REQUIRED_CHARACTERS.reduce(
    (schema, { label, missing, pattern }) =>
      schema.test(label, { id: missing }, (text) => pattern.test(text)),
    password(MIN_PASSWORD_LENGTH, 'auth.passwordTooShort'),
  );
}

/** Count code points in Unicode NFC, as the server does: an emoji is one character, and so is "é". */
function countCharacters(text: string): number {
  return Array.from(text.normalize()).length;
}
