const STORAGE_KEY = 'scroll-positions';

/** More than a visitor goes back. */
const MAX_STORED = 100;

/** The scroll position of each history entry in pixels, kept in the tab's storage over full page loads. */
export const positions = readPositions();

function readPositions(): Record<string, number | undefined> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, number>;
  } catch {
    // The browser blocks the storage, or its content is broken.
    return {};
  }
}

/**
 * Restore scroll positions ourselves while this document is shown: the browser would do so before the page is rendered.
 * After a full page load the browser restores them.
 */
export function manageScrollRestoration(): void {
  const setManual = () => {
    window.history.scrollRestoration = 'manual';
  };
  setManual();
  window.addEventListener('pageshow', setManual);
  window.addEventListener('pagehide', () => {
    window.history.scrollRestoration = 'auto';
    try {
      const latest = Object.fromEntries(Object.entries(positions).slice(-MAX_STORED));
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(latest));
    } catch {
      // Without storage, pages start at their top after the next full load.
    }
  });
}
