import { useSyncExternalStore } from 'react';

/** When the bar darkens (spec section 9). */
const THRESHOLD_PX = 50;

function subscribe(onScroll: () => void) {
  window.addEventListener('scroll', onScroll, { passive: true });
  return () => window.removeEventListener('scroll', onScroll);
}

// Reading scrollY forces a layout, so the function stays the same and React calls it on scroll, not on every render.
const isScrolled = () => window.scrollY > THRESHOLD_PX;
const isAtTop = () => false;

/** Return whether the page is scrolled past 50 px. */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, isScrolled, isAtTop);
}
