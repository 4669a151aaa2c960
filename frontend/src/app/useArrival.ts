import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** How far down each entry of the history was scrolled, by its key. */
const positions = new Map<string, number>();

/**
 * Makes a route change feel like a page load: the focus goes to the new page's heading, so that a
 * screen reader reads it (WCAG 2.4.3), and the page starts at its top, or with Back where it was left.
 */
export function useArrival(): void {
  const { key, pathname, hash } = useLocation();
  const navigation = useNavigationType();
  const arrivedAt = useRef<string>(undefined);

  useLayoutEffect(() => {
    // The browser would restore the position before the page it belongs to has been rendered. Loading
    // the document anew stays its own business.
    const takeOver = () => {
      window.history.scrollRestoration = 'manual';
    };
    const giveBack = () => {
      window.history.scrollRestoration = 'auto';
    };
    takeOver();
    window.addEventListener('pageshow', takeOver);
    window.addEventListener('pagehide', giveBack);
    return () => {
      giveBack();
      window.removeEventListener('pageshow', takeOver);
      window.removeEventListener('pagehide', giveBack);
    };
  }, []);

  useLayoutEffect(() => {
    const left = arrivedAt.current;
    arrivedAt.current = pathname;
    if (left !== undefined) {
      if (left !== pathname) focusHeading();
      if (navigation === NavigationType.Pop) {
        // A plain link to a fragment is a POP too; there the browser scrolls.
        if (left !== pathname || !hash) scrollTo(positions.get(key) ?? 0);
      } else if (hash) {
        document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
      } else if (left !== pathname) {
        scrollTo(0);
      }
    }

    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      window.removeEventListener('scroll', remember);
    };
  }, [key, pathname, hash, navigation]);
}

function focusHeading() {
  const heading = document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

function scrollTo(top: number) {
  window.scrollTo({ top, behavior: 'instant' });
}
