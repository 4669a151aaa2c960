import type { Member } from './types';

/** Return the full name, or the email of an account without a name. */
export function fullNameOf({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email;
}

/** Return the first name, or the email of an account without one. */
export function firstNameOf({ firstName, email }: Pick<Member, 'firstName' | 'email'>): string {
  return firstName || email;
}
