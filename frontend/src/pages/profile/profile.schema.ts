import { object } from 'yup';

import type { UpdateProfileInput } from '../../graphql/generated';
import { NAME_LIMIT, singleLineText } from '../../forms/validation/schemas';

/** The most characters that accounts/models.py stores. */
export const LIMITS = {
  firstName: NAME_LIMIT,
  lastName: NAME_LIMIT,
  nickname: NAME_LIMIT,
  nationality: NAME_LIMIT,
  phone: 32,
};

export type ProfileField = keyof typeof LIMITS;
export type ProfileValues = Record<ProfileField, string>;

/** Spec section 5, Profile edit. */
const PHONE = /^\+?[0-9 ()-]{10,}$/;

const common = (field: ProfileField) =>
  ({ limit: LIMITS[field], tooLong: 'profile.tooLong', invisible: 'profile.invisible' }) as const;

/** The rules of spec section 5, Profile edit. */
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

/** Return what is sent: the values that are not blank (spec section 3, Profile update input). */
export function toUpdateInput(values: ProfileValues): UpdateProfileInput {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
