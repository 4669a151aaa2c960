import { type RefObject, useEffect, useRef, useState } from 'react';

import { useHydrated } from '../../lib/useHydrated';
import { useMediaQuery } from '../../ui/useMediaQuery';
import { findCard, getOffset, pinStrip, type StripController, type StripState } from './pinnedStrip';

/**
 * When the strip is pinned: with a mouse or trackpad, enough room and no preference for reduced motion.
 * FeatureStrip.module.css repeats the query, so that the page has its final height before hydration.
 */
export const PINNABLE =
  '(pointer: fine) and (prefers-reduced-motion: no-preference) and (scripting: enabled) ' +
  'and (width >= 768px) and (height >= 600px)';

interface Elements {
  /** Higher than the window when the strip is pinned. */
  section: RefObject<HTMLElement | null>;
  /** Scrolls horizontally when it is not pinned. */
  strip: RefObject<HTMLElement | null>;
}

/** Run the strip: pinned and stepped by the wheel where `PINNABLE` matches, otherwise a carousel. */
export function useStrip({ section, strip }: Elements, count: number) {
  const pinnable = useMediaQuery(PINNABLE);
  const isHydrated = useHydrated();
  const [{ phase, index }, setState] = useState<StripState>({ phase: 'before', index: 0 });
  const shown = useRef(0);
  const handle = useRef<StripController>(undefined);

  useEffect(() => {
    if (!section.current || !strip.current) return undefined;
    const update = (state: StripState) => {
      shown.current = state.index;
      setState(state);
    };
    const current = pinnable
      ? pinStrip(section.current, count, shown.current, update)
      : followCarousel(strip.current, count, shown.current, (next) =>
          update({ phase: 'before', index: next }),
        );
    handle.current = current;
    return () => current.end();
  }, [pinnable, section, strip, count]);

  const show = (next: number) => handle.current?.show(next);
  return { index, pinned: phase === 'pinned', isHydrated, show };
}

/**
 * Track the current card of a strip with native horizontal scrolling.
 *
 * The cards share the scroll length equally: the first belongs to the start of the strip, the last to its end, and each
 * is in the window when its turn comes. The style sheet snaps at the same offsets.
 *
 * @param strip the scrolling element
 * @param count the number of cards
 * @param start the initial card; 0 keeps the scroll position
 * @param onChange called with the current card, at once and on each change
 */
export function followCarousel(
  strip: HTMLElement,
  count: number,
  start: number,
  onChange: (index: number) => void,
): StripController {
  const listeners = new AbortController();
  const scrollLength = () => strip.scrollWidth - strip.clientWidth;
  let last: number | undefined;

  function onScroll() {
    const index = findCard({ offset: strip.scrollLeft, length: scrollLength() }, count);
    if (index === last) return;
    last = index;
    onChange(index);
  }

  function show(index: number, behavior: ScrollBehavior) {
    strip.scrollTo({ left: getOffset(index, scrollLength(), count), behavior });
  }

  strip.addEventListener('scroll', onScroll, { passive: true, signal: listeners.signal });
  if (start > 0) show(start, 'instant');
  else onScroll();

  return {
    // The style sheet decides: smooth unless reduced motion is preferred.
    show: (index) => show(index, 'auto'),
    end: () => listeners.abort(),
  };
}
