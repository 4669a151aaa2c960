/** What a visitor does first: with a pointer of any kind, with keys, or with a wheel, which scrolls. */
export const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/** Stands on the page once there was one: the first may be over before anybody here listens. */
const touched = 'touched';

/** Notes a sign of life for those who ask later. */
export function noteSignOfLife() {
  document.documentElement.dataset[touched] = '';
}

/**
 * Tells of everything that only a visitor does: what a page does without is loaded then, and not before. Tells at once
 * where one has been noted.
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
