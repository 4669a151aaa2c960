import type { MessageId } from '../../i18n/catalogues';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
const EMAIL_LIMIT = 254;

/** A basic shape (spec section 5); accounts/validation.py checks more. */
const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const INVISIBLE = /[\u034f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff]/g;
const NAMED = /^([^<>]*)<([^<>]+)>[\s;,.]*$/;
const EDGES = /^[\s;,.:<([„“”«»‚‘’"]+|[\s;,.:<([„“”«»‚‘’")\]>!?…]+$/g;
/** An address may begin with these, and none ends with them. */
const PAIRED = /^(['*_`~])(.*)\1$/;

/** What every field for an email has. */
export const EMAIL_ATTRIBUTES = {
  type: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

/** The message of an error of a field, as `formatMessage` takes it. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- Yup takes no interface
export type FieldError = { id: MessageId; values?: { limit: number } };

/**
 * Return an email without what mail programs, phones and chats leave around a copied one: a name, brackets, quotes, a
 * link, punctuation, invisible characters. sailing/mail/addresses.py has the same.
 */
export function unwrapEmail(text: string): string {
  let email = text.replace(INVISIBLE, '').replace(/[＠﹫]/, '@');
  const [, name = '', inner = ''] = NAMED.exec(email) ?? [];
  if (inner && (!name.includes('@') || unwrapEmail(name).toLowerCase() === unwrapEmail(inner).toLowerCase()))
    email = inner;
  for (let before; email !== before;) {
    before = email;
    email = email.replace(EDGES, '').replace(PAIRED, '$2');
    if (/^mailto:/i.test(email)) {
      email = email.replace(/^mailto:|\?.*$/gi, '').replace(/%[2-7][0-9a-f]/gi, decodeURIComponent);
    }
  }
  return email;
}

/** Return the error of the first rule that an unwrapped email breaks. */
export function findEmailError(
  email: string,
  invalid: MessageId = 'forms.emailInvalid',
): FieldError | undefined {
  if (email === '') return { id: 'forms.emailRequired' };
  if (email.length > EMAIL_LIMIT) return { id: 'forms.emailTooLong', values: { limit: EMAIL_LIMIT } };
  return EMAIL_SHAPE.test(email) ? undefined : { id: invalid };
}
