import { createStoredText } from '../lib/storedText';

/** The name ends in `token` (spec section 9). */
export const TOKEN_KEY = 'sailing.token';

export const createTokenStorage = () => createStoredText(TOKEN_KEY);

/**
 * Mark the document of a member. base.css then shows what is for members, and hides what is for visitors, even before
 * React has taken over.
 */
export function markDocument(token: string | null): void {
  document.documentElement.toggleAttribute('data-member', Boolean(token));
}
