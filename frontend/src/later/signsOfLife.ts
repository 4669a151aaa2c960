/** What a visitor does first. */
const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'scroll', 'wheel'];

/**
 * Tells of everything that only a visitor does: what a page does without is loaded then, and not before.
 *
 * @returns ends it
 */
export function onSignOfLife(tell: () => void): () => void {
  const ended = new AbortController();
  for (const sign of SIGNS_OF_LIFE) {
    window.addEventListener(sign, tell, { signal: ended.signal, passive: true });
  }
  return () => ended.abort();
}
