import type { Member, Session, SessionSource } from '../session/AuthProvider';

export const ANNA: Member = {
  id: '7',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Nováková',
  nickname: '',
  phone: '',
  nationality: '',
  isEmailVerified: true,
  avatar: null,
  createdAt: '2025-03-01T09:30:00+00:00',
  updatedAt: '2025-05-17T16:05:00+00:00',
};

/** A session of nobody; whatever is asked of it goes without a hitch unless the test says otherwise. */
export function signedOut(session: Partial<Session> = {}): Session {
  return {
    user: null,
    isAuthenticated: false,
    status: 'signed-out',
    hasLeft: false,
    signIn: () => Promise.resolve(),
    signUp: () => Promise.resolve(),
    signOut: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    updateProfile: () => Promise.resolve(),
    resendVerification: () => Promise.resolve(true),
    ...session,
  };
}

/** A session of Anna's, as the other. */
export function signedIn(session: Partial<Session> = {}): Session {
  return signedOut({ user: ANNA, isAuthenticated: true, status: 'signed-in', ...session });
}

/** A source whose session stays as it is. */
export function lasting(session: Session): SessionSource {
  const snapshot = () => session;
  return {
    subscribe: () => () => undefined,
    getSnapshot: snapshot,
    getServerSnapshot: snapshot,
    start: () => () => undefined,
  };
}
