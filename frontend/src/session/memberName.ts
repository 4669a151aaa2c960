import type { Member } from './AuthProvider';

/** How a member is named: by their whole name, or by their email, as an admin's account may have no name. */
export function fullNameOf({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email;
}

/** How a member is named where there is little room; otherwise as `fullNameOf`. */
export function firstNameOf({ firstName, email }: Pick<Member, 'firstName' | 'email'>): string {
  return firstName || email;
}
