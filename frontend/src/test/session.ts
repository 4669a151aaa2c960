import type { Member } from '../session/member';
import type { Session, SessionSource } from '../session/sessionStore';

export const ANNA: Member = {
  id: '7',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Nováková',
  nickname: '',
  phone: '',
  nationality: '',
  isEmailVerified: true,
  isEmailUndeliverable: false,
  createdAt: '2025-03-01T09:30:00+00:00',
  updatedAt: '2025-05-17T16:05:00+00:00',
};

/** Return a session without a member; every action succeeds unless overridden. */
export function signedOut(session: Partial<Session> = {}): Session {
  return {
    user: null,
    isAuthenticated: false,
    status: 'signed-out',
    signedOutByUser: false,
    preload: () => undefined,
    signIn: () => Promise.resolve(),
    signUp: () => Promise.resolve(),
    signOut: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    updateProfile: () => Promise.resolve(),
    resendVerification: () => Promise.resolve(true),
    changePassword: () => Promise.resolve(),
    signOutEverywhere: () => Promise.resolve(),
    deleteAccount: () => Promise.resolve(),
    ...session,
  };
}

/** Return a session of Anna. */
export function signedIn(session: Partial<Session> = {}): Session {
  return signedOut({ user: ANNA, isAuthenticated: true, status: 'signed-in', ...session });
}

/** Return a source whose session never changes. */
export function createFixedSource(session: Session): SessionSource {
  const snapshot = () => session;
  return {
    subscribe: () => () => undefined,
    getSnapshot: snapshot,
    getServerSnapshot: snapshot,
    getLoadingSnapshot: snapshot,
    start: () => () => undefined,
  };
}
