import type { MeQuery } from '../lib/api/generated';

/** A member who is signed in (spec section 3, User). `updatedAt` is empty until the `me` query has answered. */
export type Member = Omit<MeQuery['me'], 'avatar'>;

/** Return the full name, or the email of an account without a name. */
export function getFullName({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email;
}

/** Return the first name, or the email of an account without one. */
export function getFirstName({ firstName, email }: Pick<Member, 'firstName' | 'email'>): string {
  return firstName || email;
}
