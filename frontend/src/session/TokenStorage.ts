/** The name ends in `token` (spec section 9). */
export const TOKEN_KEY = 'sailing.token';

/**
 * Mark the document of a member. base.css then shows what is for members, and hides what is for visitors, even before
 * React has taken over.
 */
export function markDocument(token: string | null): void {
  document.documentElement.toggleAttribute('data-member', Boolean(token));
}

/** Keeps the token in local storage, or in memory where the browser blocks storage. */
export class TokenStorage {
  /** The token that could not be stored; undefined while storage works. */
  #inMemory: string | null | undefined;

  read(): string | null {
    if (this.#inMemory !== undefined) return this.#inMemory;
    try {
      return localStorage.getItem(TOKEN_KEY) || null;
    } catch {
      return null;
    }
  }

  /** Store a token; null removes it. */
  write(token: string | null): void {
    try {
      if (token) localStorage.setItem(TOKEN_KEY, token);
      else localStorage.removeItem(TOKEN_KEY);
      this.#inMemory = undefined;
    } catch {
      this.#inMemory = token;
    }
  }
}
