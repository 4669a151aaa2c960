/** Return functions for a text in local storage, or in memory where the browser blocks storage. */
export function createStoredText(key: string) {
  /** What could not be stored; undefined while storage works. */
  let unstored: string | null | undefined;
  return {
    read(): string | null {
      if (unstored !== undefined) return unstored;
      try {
        return localStorage.getItem(key) || null;
      } catch {
        return null;
      }
    },
    /** Store a text; null removes it. */
    write(text: string | null): void {
      try {
        if (text) localStorage.setItem(key, text);
        else localStorage.removeItem(key);
        unstored = undefined;
      } catch {
        unstored = text;
      }
    },
  };
}
