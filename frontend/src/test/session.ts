import type { Member, Session } from '../session/AuthProvider';

export const ANNA: Member = { id: '7', email: 'anna@example.org', firstName: 'Anna', lastName: 'Nováková' };

/** A session of Anna's, who signs out without a hitch unless the test says otherwise. */
export function signedIn(session: Partial<Session> = {}): Session {
  return { user: ANNA, isAuthenticated: true, signOut: () => Promise.resolve(), ...session };
}
