import { useSyncExternalStore } from 'react';

/** How far a page scrolls before its bar darkens, in pixels (spec section 9). */
const THRESHOLD = 50;

function subscribe(onScroll: () => void) {
  window.addEventListener('scroll', onScroll, { passive: true });
  return () => window.removeEventListener('scroll', onScroll);
}

/** Whether the page is scrolled past 50 px. Renders anew only when that changes. */
export function useScrolled(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.scrollY > THRESHOLD,
    () => false,
  );
}
