import { object } from 'yup';

import type { UpdateProfileInput } from '../../graphql/generated';
import { NAME_LIMIT, singleLineText } from '../../forms/validation/schemas';

/** The most characters of each field: accounts/models.py has no room for more. */
export const LIMITS = {
  firstName: NAME_LIMIT,
  lastName: NAME_LIMIT,
  nickname: NAME_LIMIT,
  nationality: NAME_LIMIT,
  phone: 32,
};

export type ProfileField = keyof typeof LIMITS;
export type ProfileValues = Record<ProfileField, string>;

/** An optional leading plus, then at least ten digits, spaces, hyphens or parentheses (spec section 5, Profile edit). */
const PHONE = /^\+?[0-9 ()-]{10,}$/;

const common = (field: ProfileField) =>
  ({ limit: LIMITS[field], tooLong: 'profile.tooLong', invisible: 'profile.invisible' }) as const;

/** What a member may change of their profile (spec section 5, Profile edit). A rule's message is told by its id. */
export const profileSchema = object({
  firstName: singleLineText({
    ...common('firstName'),
    required: 'profile.firstNameRequired',
    tooShort: 'profile.firstNameTooShort',
  }),
  lastName: singleLineText({
    ...common('lastName'),
    required: 'profile.lastNameRequired',
    tooShort: 'profile.lastNameTooShort',
  }),
  nickname: singleLineText(common('nickname')),
  nationality: singleLineText(common('nationality')),
  phone: singleLineText({ ...common('phone'), shape: { pattern: PHONE, broken: 'profile.phoneInvalid' } }),
});

/** What of a filled-in form is sent: the values that are not blank (spec section 3, Profile update input). */
export function updateOf(values: ProfileValues): UpdateProfileInput {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
