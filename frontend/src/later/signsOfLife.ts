/** What a visitor does first: with a pointer of any kind, with keys, or with a wheel, which scrolls. */
export const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/**
 * Tells of everything that only a visitor does: what a page does without is loaded then, and not before.
 *
 * @returns ends it
 */
export function onSignOfLife(tell: () => void): () => void {
  const ended = new AbortController();
  for (const sign of SIGNS_OF_LIFE) {
    addEventListener(sign, tell, { signal: ended.signal });
  }
  return () => ended.abort();
}
