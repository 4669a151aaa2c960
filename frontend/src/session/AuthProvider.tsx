import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';

import type { SignInInput, SignUpInput, UpdateProfileInput } from '../graphql/generated';
import { SessionStore } from './SessionStore';

/** The member who is signed in (spec section 3, User). */
export interface Member {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  nickname: string;
  phone: string;
  nationality: string;
  isEmailVerified: boolean;
  /** Known by the current-user query alone: null until it has answered, and without a picture. */
  avatar: string | null;
  createdAt: string;
  /** Blank until the current-user query has answered, for signing in does not say it. */
  updatedAt: string;
}

/** Who is signed in on this page, and the ways in and out (spec section 4). */
export interface Session {
  /** The cached current user. */
  user: Member | null;
  /** Whether there are both a user and a token. */
  isAuthenticated: boolean;
  /**
   * `loading`: there is a token, and its user is on the way. `unreachable`: the user could not be fetched for an
   * outage; the token is kept.
   */
  status: 'signed-out' | 'loading' | 'unreachable' | 'signed-in';
  /** Whether the visitor is signed out because they signed out on this page. */
  hasLeft: boolean;
  /** Stores the token and caches the user. Rejects with what the call failed of. */
  signIn: (values: SignInInput) => Promise<void>;
  /** As signIn, for a new member. */
  signUp: (input: SignUpInput) => Promise<void>;
  /** Tells the server, then forgets everything; rejects when the member stays signed in. */
  signOut: () => Promise<void>;
  /**
   * Fetches the user anew, unless the last time is less than `freshFor` milliseconds ago. How that went stands in the
   * session: it never rejects.
   */
  refresh: (freshFor?: number) => Promise<void>;
  /** Replaces the cached user; rejects with what the call failed of. */
  updateProfile: (input: UpdateProfileInput) => Promise<void>;
  /** Has the verification mail sent again; false when the address is verified already. Rejects as the others. */
  resendVerification: () => Promise<boolean>;
}

/** Holds the session outside React, so that its changes reach only who reads it. */
export interface SessionSource {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => Session;
  /** The session of a page as it is rendered at build time: nobody's. */
  getServerSnapshot: () => Session;
  /** Begins to keep up with the server and the other tabs; returns what ends it. */
  start: () => () => void;
}

/** Never a new value: React drops the HTML of a part that is not alive yet when a context above it changes. */
const SessionContext = createContext<SessionSource | undefined>(undefined);

interface AuthProviderProps {
  /** The browser's own session when left out. */
  source?: SessionSource | undefined;
  children: ReactNode;
}

/** Tells everything inside it who is signed in. */
export function AuthProvider({ source, children }: AuthProviderProps) {
  const [session] = useState(() => source ?? new SessionStore());
  useEffect(() => session.start(), [session]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * The session of the page.
 *
 * @throws {Error} outside an AuthProvider (spec section 6 has the words)
 */
export function useAuth(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useAuth must be used within an AuthProvider');
  return useSyncExternalStore(session.subscribe, session.getSnapshot, session.getServerSnapshot);
}
