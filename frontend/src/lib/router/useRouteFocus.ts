import { useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

import { focusHeading, scrollPage } from '../pageStart';

const STORAGE_KEY = 'scroll-positions';

/** More than a visitor goes back. */
const MAX_STORED = 100;

/** The scroll position of each history entry in pixels, kept in the tab's storage over full page loads. */
const positions = readPositions();

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

/**
 * Make a route change feel like a page load: focus the heading of the new page and scroll to its top, or with Back to where
 * it was left.
 */
export function useRouteFocus(): void {
  const location = useLocation();
  const { key, pathname, hash } = location;
  const isReturn = useNavigationType() === NavigationType.Pop;
  const [first] = useState(location);
  const isFirst = location === first; // the browser handles it
  const shown = useRef<string>(undefined);

  useLayoutEffect(() => {
    // A fragment has the key of its page.
    const entry = key + pathname + hash;
    const isNew = shown.current !== pathname;
    let growth: ResizeObserver | undefined;
    shown.current = pathname;

    if (!isFirst) {
      if (isNew) focusHeading();
      if (isReturn) {
        // A plain link to a fragment is a POP too; the browser scrolls to it.
        if (isNew || !hash) growth = scrollWhenPossible(positions[entry] ?? 0);
      } else if (hash) {
        // Our ids are plain letters, so the fragment is not decoded.
        document.getElementById(hash.slice(1))?.scrollIntoView();
      } else if (isNew) {
        scrollPage(0);
      }
    }

    const remember = () => {
      // The browser scrolls to a fragment before the router's location changes.
      if (window.location.hash === hash) positions[entry] = window.scrollY;
    };
    remember();
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      growth?.disconnect();
      window.removeEventListener('scroll', remember);
    };
  }, [isFirst, key, pathname, hash, isReturn]);
}

/** Scroll to a position that the page may be too short for yet; continue as it grows, until the user scrolls. */
function scrollWhenPossible(top: number): ResizeObserver | undefined {
  scrollPage(top);
  let reached = window.scrollY;
  if (reached >= top) return;
  const growth = new ResizeObserver(() => {
    if (window.scrollY !== reached) {
      growth.disconnect();
      return;
    }
    scrollPage(top);
    reached = window.scrollY;
  });
  growth.observe(document.body);
  return growth;
}
