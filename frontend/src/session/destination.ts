import { useLocation } from 'react-router-dom';

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
