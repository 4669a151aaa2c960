import { useLayoutEffect, useRef } from 'react';
import { type Location, NavigationType } from 'react-router-dom';

import { focusHeading, scrollPage } from '../pageStart';
import { positions } from './scrollPositions';

/**
 * Make a route change feel like a page load: focus the heading of the new page and scroll to its top, or with Back to where
 * it was left.
 *
 * Call it in the component that renders the page, so that its effects run when the page is there.
 *
 * @param isFirst whether this is the location that the document was loaded with, which the browser handles
 */
export function useRouteFocus(
  { key, pathname, hash }: Location,
  type: NavigationType,
  isFirst: boolean,
): void {
  const isReturn = type === NavigationType.Pop;
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
