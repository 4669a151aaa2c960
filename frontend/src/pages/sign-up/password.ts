import type { MessageId } from '../../i18n/catalogues';
import { countCharacters } from '../../forms/validation/schemas';

/** The fewest characters of a new password (spec section 9). */
export const MIN_PASSWORD_LENGTH = 8;

/** A rule of a new password, with how it stands below the field. */
interface PasswordRule {
  label: MessageId;
  isKept: (password: string) => boolean;
}

/** A kind of character that a new password must have, and what is said of one without it. */
interface NeededCharacter extends PasswordRule {
  missing: MessageId;
}

/** The characters that a new password must have, in the order of spec section 5. */
export const NEEDED_CHARACTERS: readonly NeededCharacter[] = [
  {
    label: 'auth.ruleLowercase',
    missing: 'auth.lowercaseMissing',
    isKept: (password) => /[a-z]/.test(password),
  },
  {
    label: 'auth.ruleUppercase',
    missing: 'auth.uppercaseMissing',
    isKept: (password) => /[A-Z]/.test(password),
  },
  {
    label: 'auth.ruleNumber',
    missing: 'auth.numberMissing',
    isKept: (password) => /[0-9]/.test(password),
  },
  {
    label: 'auth.ruleSpecial',
    missing: 'auth.specialMissing',
    isKept: (password) => /[@$!%*?&]/.test(password),
  },
];

/** Every rule that a visitor sees while choosing a password. */
export const PASSWORD_RULES: readonly PasswordRule[] = [
  { label: 'auth.ruleLength', isKept: (password) => countCharacters(password) >= MIN_PASSWORD_LENGTH },
  ...NEEDED_CHARACTERS,
];
