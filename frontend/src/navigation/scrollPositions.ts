const STORAGE_KEY = 'scroll-positions';

/** How far down each entry of the history was scrolled. The tab keeps it, as it keeps the history, over full loads. */
export const positions = keptPositions();

/** A step through the history that the page is made ready for; a browser may have scrolled to where it leads. */
export const step = { isHeld: false };

function keptPositions(): Record<string, number | undefined> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, number>;
  } catch {
    // There is no storage, or it is closed to this page.
    return {};
  }
}

/**
 * Takes the scrolling of this document's entries over from the browser, which would restore a position before the page
 * that it belongs to has been rendered. Loading the document anew stays its own business.
 */
export function takeOverScrolling(): void {
  const takeOver = () => {
    window.history.scrollRestoration = 'manual';
  };
  takeOver();
  window.addEventListener('pageshow', takeOver);
  window.addEventListener('pagehide', () => {
    window.history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
    } catch {
      // After the next full load, pages start at their top.
    }
  });
}
