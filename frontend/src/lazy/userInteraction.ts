/** The events that count as a user interaction. */
export const INTERACTIONS = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/** Set on the document by the first interaction, which may come before the listener that waits for it. */
const FLAG = 'touched';

/** Record an interaction for later calls of `onUserInteraction`. */
export function markUserInteraction() {
  document.documentElement.dataset[FLAG] = '';
}

/**
 * Call back on every user interaction, and at once if there has been one.
 *
 * @returns a function that removes the listeners
 */
export function onUserInteraction(callback: () => void): () => void {
  if (FLAG in document.documentElement.dataset) callback();
  const controller = new AbortController();
  for (const type of INTERACTIONS) addEventListener(type, callback, { signal: controller.signal });
  return () => controller.abort();
}
