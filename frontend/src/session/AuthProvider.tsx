import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';

import type { Member } from './member';
import { createSessionStore, type Session, type SessionSource } from './sessionStore';

/** Holds the store, not its state: a context change above a dehydrated boundary makes React discard its HTML. */
const SessionContext = createContext<SessionSource | undefined>(undefined);

/** Whether the page is for members. Its prerendered session is loading; that of any other page is signed out. */
export const MemberPageContext = createContext(false);

interface AuthProviderProps {
  /** The session of the browser when left out. */
  source?: SessionSource | undefined;
  children: ReactNode;
}

/** Provide the session to everything inside. */
export function AuthProvider({ source, children }: AuthProviderProps) {
  const [session] = useState(() => source ?? createSessionStore());
  useEffect(() => session.start(), [session]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * Return the session.
 *
 * @throws {Error} outside an AuthProvider, with the message of spec section 6
 */
export function useAuth(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useAuth must be used within an AuthProvider');
  const getServerSnapshot = use(MemberPageContext) ? session.getLoadingSnapshot : session.getServerSnapshot;
  return useSyncExternalStore(session.subscribe, session.getSnapshot, getServerSnapshot);
}

/**
 * Return the current user on a page for members (`"access": "member"` in the route table).
 *
 * @throws {Error} when nobody is signed in
 */
export function useMember(): Member {
  const { user } = useAuth();
  if (!user) throw new Error('useMember must be used on a page for members');
  return user;
}
