import { answerTurn, arrivedByWheel, distanceOf, WHEEL_AT_REST } from './wheelSteps';

/** How long after a turn of the wheel the page may still be moving by it, in milliseconds. */
const WHEEL_ECHO = 500;

/** Whole pixels: a page may stand between two of them. */
const TOLERANCE = 1;

/** Where the window is: still before the stretch, in it (the strip is pinned), or already past it. */
export type Place = 'before' | 'pinned' | 'past';

/** What shows. */
export interface Pin {
  place: Place;
  /** The card in the middle, from 0. */
  index: number;
}

/** A strip that has been brought to life. */
export interface Strip {
  /** Shows a card; brings the strip into the window when it could be pinned and is not. */
  show: (index: number) => void;
  /** Takes all listeners away. */
  end: () => void;
}

/** How far into a stretch the window is, in pixels; the strip is pinned from 0 to the length of the stretch. */
export interface Position {
  offset: number;
  length: number;
}

export function placeAt({ offset, length }: Position): Place {
  if (offset < -TOLERANCE) return 'before';
  return offset > length + TOLERANCE ? 'past' : 'pinned';
}

/** The card that belongs to a position: the first where the stretch begins, the last where it ends. */
export function cardAt({ offset, length }: Position, count: number): number {
  const progress = length > 0 ? Math.min(Math.max(offset / length, 0), 1) : 0;
  return Math.round(progress * (count - 1));
}

/** The offset at which a card stands. */
export function offsetOf(index: number, length: number, count: number): number {
  return (length * index) / (count - 1);
}

/**
 * Steps a strip of cards by the wheel while the page scrolls through a stretch (spec section 4, Sailors card strip).
 *
 * The stretch is higher than the strip in it, which is sticky, and so stands still until the page has been scrolled
 * through the stretch. Each card has its place in the stretch: whatever scrolls the page, a key, the scroll bar, a link,
 * moves the strip along and is never held up. Only the wheel is: it goes from card to card.
 *
 * @param stretch the element; its first child is the sticky one
 * @param count how many cards there are
 * @param shown the card to begin with, when the strip stands pinned already; with the first, the page's place decides
 * @param onChange told of each change, and at once
 */
export function pinStretch(
  stretch: HTMLElement,
  count: number,
  shown: number,
  onChange: (pin: Pin) => void,
): Strip {
  let pin: Pin = { place: 'before', index: 0 };
  let wheel = WHEEL_AT_REST;
  let turnedAt = -Infinity;
  let listening: AbortController | undefined;
  const ended = new AbortController();

  function position(): Position {
    const { top, height } = stretch.getBoundingClientRect();
    const strip = stretch.firstElementChild?.getBoundingClientRect().height ?? 0;
    return { offset: -top, length: height - strip };
  }

  function scrollTo(index: number, behavior: ScrollBehavior) {
    const { offset, length } = position();
    const distance = offsetOf(index, length, count) - offset;
    if (Math.abs(distance) > TOLERANCE) window.scrollTo({ top: window.scrollY + distance, behavior });
  }

  function become(next: Pin) {
    const { place, index } = pin;
    pin = next;
    if (place !== next.place) listenToWheel();
    if (place !== next.place || index !== next.index) onChange(next);
  }

  /** A listener that may hold the page back slows its scrolling, so it is one only while the strip is pinned. */
  function listenToWheel() {
    listening?.abort();
    listening = new AbortController();
    window.addEventListener('wheel', onWheel, {
      passive: pin.place !== 'pinned',
      signal: listening.signal,
    });
  }

  function onWheel(event: WheelEvent) {
    const distance = distanceOf(event);
    // With Ctrl the wheel zooms; over a menu it is the menu's.
    if (event.ctrlKey || distance === 0 || isInMenu(event.target)) return;
    turnedAt = event.timeStamp;
    if (pin.place !== 'pinned') return;

    const result = answerTurn(wheel, { time: event.timeStamp, distance }, { index: pin.index, count });
    wheel = result.memory;
    if (result.answer === 'release') return;
    // The browser refuses to stop a movement that it has begun to scroll by; then `onScroll` holds the strip.
    if (event.cancelable) event.preventDefault();
    if (result.answer !== 'hold') moveTo(pin.index + (result.answer === 'next' ? 1 : -1));
  }

  function moveTo(index: number) {
    become({ ...pin, index });
    scrollTo(index, 'instant');
  }

  function onScroll({ timeStamp }: { timeStamp: number }) {
    const now = position();
    const place = placeAt(now);
    const byWheel = timeStamp - turnedAt < WHEEL_ECHO;
    if (!byWheel || wheel.released) {
      if (place !== 'pinned') wheel = WHEEL_AT_REST;
      become({ place, index: cardAt(now, count) });
      return;
    }
    if (pin.place === 'pinned') {
      const isLeaving = place !== 'pinned' && cardAt(now, count) === pin.index;
      if (isLeaving) become({ ...pin, place });
      else scrollTo(pin.index, 'instant');
    } else if (place !== pin.place) {
      wheel = arrivedByWheel(timeStamp);
      become({ place: 'pinned', index: pin.place === 'before' ? 0 : count - 1 });
      scrollTo(pin.index, 'instant');
    }
  }

  /** Whoever presses a key or the scroll bar does not turn the wheel. */
  function forgetWheel() {
    turnedAt = -Infinity;
  }

  const passive = { passive: true, signal: ended.signal };
  window.addEventListener('scroll', onScroll, passive);
  window.addEventListener('keydown', forgetWheel, { ...passive, capture: true });
  window.addEventListener('pointerdown', forgetWheel, { ...passive, capture: true });
  window.addEventListener('resize', () => pin.place === 'pinned' && scrollTo(pin.index, 'instant'), passive);
  const start = position();
  pin = { place: placeAt(start), index: cardAt(start, count) };
  listenToWheel();
  onChange(pin);
  if (pin.place === 'pinned' && shown > 0) moveTo(shown);

  return {
    show(index) {
      forgetWheel();
      if (pin.place === 'pinned') moveTo(index);
      else scrollTo(index, 'smooth');
    },
    end() {
      listening?.abort();
      ended.abort();
    },
  };
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [popover]') !== null;
}
