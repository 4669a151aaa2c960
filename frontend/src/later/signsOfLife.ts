/** What a visitor does first: with a pointer of any kind, with keys, or with a wheel, which scrolls. */
export const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/** Whether there was one before React took over the page; `begin.ts` notes it. */
const touched = 'touched';

/** Notes a sign of life that nobody could be told of yet. */
export function noteSignOfLife() {
  document.documentElement.dataset[touched] = '';
}

/**
 * Tells of everything that only a visitor does: what a page does without is loaded then, and not before. Tells at once on
 * a page that was touched before it came to life.
 *
 * @returns ends it
 */
export function onSignOfLife(tell: () => void): () => void {
  if (touched in document.documentElement.dataset) tell();
  const ended = new AbortController();
  for (const sign of SIGNS_OF_LIFE) {
    addEventListener(sign, tell, { signal: ended.signal });
  }
  return () => ended.abort();
}
