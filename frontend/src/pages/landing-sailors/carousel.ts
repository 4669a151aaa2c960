import type { StripController } from './pinnedStretch';

/** Return the index of the card nearest to the middle of a strip. */
function nearestCard(strip: HTMLElement, cards: HTMLElement[]): number {
  const distances = cards.map((card) => Math.abs(scrollLeftOf(strip, card) - strip.scrollLeft));
  return distances.indexOf(Math.min(...distances));
}

/** Return the scroll position that centres a card. */
function scrollLeftOf(strip: HTMLElement, card: HTMLElement): number {
  return card.offsetLeft + card.offsetWidth / 2 - strip.clientWidth / 2;
}

/**
 * Track the current card of a strip with native horizontal scrolling.
 *
 * @param strip the scrolling element
 * @param cards its cards in order
 * @param start the initial card; 0 keeps the scroll position
 * @param onChange called with the card in the middle, at once and on each change
 */
export function followCarousel(
  strip: HTMLElement,
  cards: HTMLElement[],
  start: number,
  onChange: (index: number) => void,
): StripController {
  const listeners = new AbortController();
  let last: number | undefined;

  function onScroll() {
    const index = nearestCard(strip, cards);
    if (index === last) return;
    last = index;
    onChange(index);
  }

  function show(index: number, behavior: ScrollBehavior) {
    const card = cards[index];
    if (card) strip.scrollTo({ left: scrollLeftOf(strip, card), behavior });
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
