import type { MessageId } from '../../i18n/catalogues';
import { countCharacters, password, PASSWORD_LIMIT } from './schemas';

/** Spec section 9. */
const MIN_PASSWORD_LENGTH = 8;

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
    (schema, { label, missing, isMet }) => schema.test(label, missing, isMet),
    password({
      required: 'auth.passwordRequired',
      minLength: MIN_PASSWORD_LENGTH,
      tooShort: 'auth.passwordTooShort',
      tooLong: 'auth.passwordTooLong',
    }),
  );
}
