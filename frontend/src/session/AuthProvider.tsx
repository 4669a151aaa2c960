import { createContext, type ReactNode, use } from 'react';

/** Who is signed in (spec section 3, User), as far as the page's shell names them. */
export interface Member {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Whether somebody is signed in on this page, and the way out (spec section 6: there is no third state). */
export interface Session {
  user: Member | null;
  isAuthenticated: boolean;
  /** Signs out; rejects when the member stays signed in. */
  signOut: () => Promise<void>;
}

const SIGNED_OUT: Session = { user: null, isAuthenticated: false, signOut: () => Promise.resolve() };

const SessionContext = createContext<Session | undefined>(undefined);

interface AuthProviderProps {
  session?: Session | undefined;
  children: ReactNode;
}

/** Tells everything inside it who is signed in. */
export function AuthProvider({ session = SIGNED_OUT, children }: AuthProviderProps) {
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
  return session;
}
