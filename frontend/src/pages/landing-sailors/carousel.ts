import type { Strip } from './pinnedStretch';

/** The card nearest to the middle of a strip. */
function cardInMiddle(strip: HTMLElement, cards: HTMLElement[]): number {
  const distances = cards.map((card) => Math.abs(leftOf(strip, card) - strip.scrollLeft));
  return distances.indexOf(Math.min(...distances));
}

/** How far a strip is scrolled when a card stands in its middle. */
function leftOf(strip: HTMLElement, card: HTMLElement): number {
  return card.offsetLeft + card.offsetWidth / 2 - strip.clientWidth / 2;
}

/**
 * Follows a strip that the browser itself scrolls sideways, from card to card.
 *
 * @param strip the scrolling element
 * @param cards those in it, in their order
 * @param start the card to begin with; with the first, the strip stays at the card that it has been scrolled to
 * @param onChange told of the card in the middle, at once and whenever it is another one
 */
export function followCarousel(
  strip: HTMLElement,
  cards: HTMLElement[],
  start: number,
  onChange: (index: number) => void,
): Strip {
  const ended = new AbortController();
  let last: number | undefined;

  function look() {
    const index = cardInMiddle(strip, cards);
    if (index === last) return;
    last = index;
    onChange(index);
  }

  function show(index: number, behavior: ScrollBehavior) {
    const card = cards[index];
    if (card) strip.scrollTo({ left: leftOf(strip, card), behavior });
  }

  strip.addEventListener('scroll', look, { passive: true, signal: ended.signal });
  if (start > 0) show(start, 'instant');
  else look();

  return {
    // As the style sheet says: smooth, unless less motion is asked for.
    show: (index) => show(index, 'auto'),
    end: () => ended.abort(),
  };
}
