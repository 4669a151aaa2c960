import { useSyncExternalStore } from 'react';

/** How far a page scrolls before its bar darkens, in pixels (spec section 9). */
const THRESHOLD = 50;

function subscribe(onScroll: () => void) {
  window.addEventListener('scroll', onScroll, { passive: true });
  return () => window.removeEventListener('scroll', onScroll);
}

// Where a page is scrolled to can only be told once it is laid out: this is asked when it scrolls, and not each time
// that what stands around the bar renders, for it stays the same function.
const isScrolled = () => window.scrollY > THRESHOLD;
const isAtTop = () => false;

/** Whether the page is scrolled past 50 px. Renders anew only when that changes. */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, isScrolled, isAtTop);
}
