import { useLocation } from 'react-router-dom';

/** The default page after signing in (spec section 2, Sign-in). */
const DASHBOARD = '/dashboard';

/** The history state of a link or redirect to /signin. */
export interface SignInLocationState {
  /** The page to return to. */
  from: string;
}

/**
 * Return the page that a visitor asked for before being sent to /signin; undefined for one who came by hand.
 *
 * Read from the history state, which only our own pages write, never from the address: an external link must not
 * choose it (OWASP Unvalidated Redirects and Forwards Cheat Sheet).
 */
export function useAskedPage(): string | undefined {
  const state = useLocation().state as Partial<SignInLocationState> | null;
  const from = state?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}

/** Return the page to open after signing in. */
export function useDestination(): string {
  return useAskedPage() ?? DASHBOARD;
}
