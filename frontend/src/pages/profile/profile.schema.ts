import { object } from 'yup';

import type { UpdateProfileInput } from '../../api/generated';
import { NAME_LIMIT, singleLineText } from '../../forms/validation/schemas';
import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS, type OptionalFieldName } from './profileFields';

export type ProfileField = 'firstName' | 'lastName' | OptionalFieldName;
export type ProfileValues = Record<ProfileField, string>;

/** Spec section 5, Profile edit. */
const PHONE = /^\+?[0-9 ()-]{10,}$/;

const text = (limit: number) =>
  ({ limit, tooLong: 'profile.tooLong', invisible: 'profile.invisible' }) as const;

/** The rules of spec section 5, Profile edit. */
export const profileSchema = object({
  firstName: singleLineText({
    ...text(NAME_LIMIT),
    required: 'profile.firstNameRequired',
    tooShort: 'profile.firstNameTooShort',
  }),
  lastName: singleLineText({
    ...text(NAME_LIMIT),
    required: 'profile.lastNameRequired',
    tooShort: 'profile.lastNameTooShort',
  }),
  ...mapOptionalFields((name) => singleLineText(text(OPTIONAL_FIELDS[name].limit))),
  phone: singleLineText({
    ...text(OPTIONAL_FIELDS.phone.limit),
    shape: { pattern: PHONE, broken: 'profile.phoneInvalid' },
  }),
});

/** Return the values of the form for a member. */
export function getProfileValues(user: ProfileValues): ProfileValues {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    ...mapOptionalFields((name) => user[name]),
  };
}

/**
 * Return what is sent: the values that are not blank (spec section 3, Profile update input), and a blank value for each
 * field that the member removes.
 */
export function toUpdateInput(
  values: ProfileValues,
  removed: readonly OptionalFieldName[] = [],
): UpdateProfileInput {
  const isSent = ([name, value]: [string, string]) =>
    value !== '' || removed.some((removedName) => removedName === name);
  return Object.fromEntries(Object.entries(values).filter(isSent));
}

function mapOptionalFields<Value>(toValue: (name: OptionalFieldName) => Value) {
  return Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, toValue(name)])) as Record<
    OptionalFieldName,
    Value
  >;
}
