/** Where the token is kept; its name ends in `token` (spec section 9). */
export const TOKEN_KEY = 'sailing.token';

/** The token in the browser's local storage; in memory only where a browser closes its storage to the page. */
export class TokenStorage {
  /** What the storage would not take; undefined while it does. */
  #withheld: string | null | undefined;

  /** The stored token, or null. */
  read(): string | null {
    if (this.#withheld !== undefined) return this.#withheld;
    try {
      return localStorage.getItem(TOKEN_KEY) || null;
    } catch {
      return null;
    }
  }

  /** Stores a token; null removes it. */
  write(token: string | null): void {
    try {
      if (token) localStorage.setItem(TOKEN_KEY, token);
      else localStorage.removeItem(TOKEN_KEY);
      this.#withheld = undefined;
    } catch {
      this.#withheld = token;
    }
  }
}
