import { type Member, useAuth } from './AuthProvider';

/**
 * The current user, for a page that shows only to members (`"access": "member"` in the route table).
 *
 * @throws {Error} when nobody is signed in
 */
export function useMember(): Member {
  const { user } = useAuth();
  if (!user) throw new Error('useMember must be used on a page for members');
  return user;
}
