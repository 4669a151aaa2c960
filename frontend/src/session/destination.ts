import { useLocation } from 'react-router-dom';

/** Where signing in leads by itself (spec section 2, Sign-in). */
const DASHBOARD = '/dashboard';

/** What a way to /signin carries in the history entry's state: the page that was asked for. */
export interface WayToSignIn {
  from: string;
}

/**
 * Where signing in leads from here: to the page that sent the visitor, else to the dashboard.
 *
 * It is read from the history's state, which only a page of ours writes, never from the address: a link from outside
 * must not choose (OWASP Unvalidated Redirects and Forwards Cheat Sheet).
 */
export function useDestination(): string {
  const state = useLocation().state as Partial<WayToSignIn> | null;
  const from = state?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : DASHBOARD;
}
