import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

import { focusHeading, scrollPage } from '../ui/pageStart';
import { positions, step } from './scrollPositions';

/**
 * Makes a route change feel like a page load: the focus goes to the new page's heading, and the page starts at its top,
 * or with Back where it was left.
 *
 * For the component that shows the page: its effects run when the page is there.
 *
 * @param isFirst whether nothing has changed since the document was loaded, which is the browser's own business
 */
export function useArrival(isFirst: boolean): void {
  const { key, pathname, hash } = useLocation();
  const isReturn = useNavigationType() === NavigationType.Pop;
  const shown = useRef<string>(undefined);

  useLayoutEffect(() => {
    // Fragments have no key of their own.
    const entry = key + pathname + hash;
    const isNew = shown.current !== pathname;
    let growth: ResizeObserver | undefined;
    shown.current = pathname;

    if (!isFirst) {
      if (isNew) focusHeading();
      if (isReturn) {
        // A plain link to a fragment is a POP too; there the browser scrolls.
        if (isNew || !hash) growth = returnTo(positions[entry] ?? 0);
      } else if (hash) {
        // The ids of our pages are plain letters; what an address encodes besides, or fails to, is none.
        document.getElementById(hash.slice(1))?.scrollIntoView();
      } else if (isNew) {
        scrollPage(0);
      }
    }

    const remember = () => {
      // A browser scrolls to a fragment before the router hears of it.
      if (!step.isHeld && window.location.hash === hash) positions[entry] = window.scrollY;
    };
    // A step away and back again, before the router heard of the first, changes nothing that it shows.
    const stay = () => {
      if (window.location.pathname + window.location.hash === pathname + hash)
        scrollPage(positions[entry] ?? 0);
    };
    remember();
    window.addEventListener('scroll', remember, { passive: true });
    window.addEventListener('popstate', stay);
    return () => {
      growth?.disconnect();
      window.removeEventListener('scroll', remember);
      window.removeEventListener('popstate', stay);
    };
  }, [isFirst, key, pathname, hash, isReturn]);
}

/** Scrolls down as far as the page reaches, and on whenever it has grown longer, until someone scrolls. */
function returnTo(top: number): ResizeObserver | undefined {
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
