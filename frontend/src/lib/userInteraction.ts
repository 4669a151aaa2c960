/** The events that count as a user interaction. */
export const INTERACTIONS = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/** Set on the document by the first interaction, which may come before the listener that waits for it. */
const FLAG = 'touched';

/** Record an interaction for later calls of `onUserInteraction`. */
export function markUserInteraction() {
  document.documentElement.dataset[FLAG] = '';
}

/**
 * Call back once, on the first user interaction, or at once if there has been one.
 *
 * @returns a function that removes the listeners
 */
export function onUserInteraction(callback: () => void): () => void {
  const controller = new AbortController();
  const onFirst = () => {
    controller.abort();
    callback();
  };
  for (const type of INTERACTIONS) addEventListener(type, onFirst, { signal: controller.signal });
  if (FLAG in document.documentElement.dataset) onFirst();
  return () => controller.abort();
}
