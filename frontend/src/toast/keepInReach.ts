/**
 * Keeps an element where it can be seen, heard and pressed: in the open modal dialog while there is one, for the HTML
 * standard makes inert all that stands outside of it, in whatever layer it lies; else in its own place.
 *
 * @param element stands alone in its place, so that nothing there is looked for beside it
 * @param onMove told after each move, which hides the popovers in the element
 * @returns ends it, with the element back in its place
 */
export function keepInReach(element: HTMLElement, onMove: () => void): () => void {
  const home = element.parentElement;

  function follow() {
    const place = openDialog() ?? home;
    if (element.parentElement === place) return;
    place?.append(element);
    onMove();
  }

  const dialogs = new MutationObserver(follow);
  dialogs.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
  follow();

  return () => {
    dialogs.disconnect();
    if (element.parentElement !== home) home?.append(element);
  };
}

/** The dialog that is open; of several the innermost. */
export function openDialog(): Element | undefined {
  return [...document.querySelectorAll('dialog[open]')].at(-1);
}
