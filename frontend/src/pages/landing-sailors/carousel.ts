import { findCard, getOffset, type StripController } from './pinnedStrip';

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
