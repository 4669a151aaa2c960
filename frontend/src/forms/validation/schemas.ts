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

/** Return the schema of an email. */
export function email() {
  return string()
    .default('')
    .trim()
    .test('email', (value, { createError }) => {
      const message = findEmailError(value, 'auth.emailInvalid');
      return message === undefined || createError({ message });
    });
}

interface TextRules {
  limit: number;
  /** The error of a blank value; without it the field is optional. */
  required?: MessageId;
  tooShort?: MessageId;
  /** The format of a value that is not blank, and the error of any other. */
  shape?: { pattern: RegExp; broken: MessageId };
}

/**
 * Return the schema of one line of text, trimmed. accounts/validation.py removes remains of copying, and checks the same rules in
 * the same order; the first broken one counts.
 */
export function singleLineText(rules: TextRules) {
  return string()
    .default('')
    .trim()
    .test('text', (value, { createError }) => {
      const message = findTextError(value, rules);
      return message === undefined || createError({ message });
    });
}

/** The schemas of a member's names. */
export const names = {
  firstName: singleLineText({
    limit: NAME_LIMIT,
    required: 'auth.firstNameRequired',
    tooShort: 'auth.firstNameTooShort',
  }),
  lastName: singleLineText({
    limit: NAME_LIMIT,
    required: 'auth.lastNameRequired',
    tooShort: 'auth.lastNameTooShort',
  }),
};

function findTextError(value: string, rules: TextRules): FieldError | undefined {
  const { limit, required, tooShort, shape } = rules;
  const length = countCharacters(value);
  if (length > limit) return { id: 'auth.tooLong', values: { limit } };
  if (length === 0) return required && { id: required };
  if (length < MIN_TEXT_LENGTH && tooShort) return { id: tooShort };
  return shape && !shape.pattern.test(value) ? { id: shape.broken } : undefined;
}

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

/** A rule of a new password, listed below the field. */
interface PasswordRule {
  label: MessageId;
  isMet: (password: string) => boolean;
}

/** A kind of character that a new password needs, with the error when missing. */
interface RequiredCharacter extends PasswordRule {
  missing: MessageId;
}

/** In the order of spec section 5. */
const REQUIRED_CHARACTERS: readonly RequiredCharacter[] = [
  {
    label: 'auth.ruleLowercase',
    missing: 'auth.lowercaseMissing',
    isMet: (password) => /[a-z]/.test(password),
  },
  {
    label: 'auth.ruleUppercase',
    missing: 'auth.uppercaseMissing',
    isMet: (password) => /[A-Z]/.test(password),
  },
  {
    label: 'auth.ruleNumber',
    missing: 'auth.numberMissing',
    isMet: (password) => /[0-9]/.test(password),
  },
  {
    label: 'auth.ruleSpecial',
    missing: 'auth.specialMissing',
    isMet: (password) => /[@$!%*?&]/.test(password),
  },
];

/** The rules shown below the password field. */
export const PASSWORD_RULES: readonly PasswordRule[] = [
  { label: 'auth.ruleLength', isMet: (password) => countCharacters(password) >= MIN_PASSWORD_LENGTH },
  ...REQUIRED_CHARACTERS,
];

/** Return the schema of a new password (spec section 5, Sign-up). */
export function newPassword() {
  return REQUIRED_CHARACTERS.reduce(
    (schema, { label, missing, isMet }) => schema.test(label, { id: missing }, isMet),
    password(MIN_PASSWORD_LENGTH, 'auth.passwordTooShort'),
  );
}

/** Count code points in Unicode NFC, as the server does: an emoji is one character, and so is "é". */
function countCharacters(text: string): number {
  return Array.from(text.normalize()).length;
}
