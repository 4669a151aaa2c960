import { reduceWheelEvent, stateAfterArrival, wheelDistance, INITIAL_WHEEL_STATE } from './wheelSteps';

/** How long after a wheel event a scroll event is attributed to it. */
const WHEEL_SCROLL_MS = 500;

/** Scroll positions may be fractions of a pixel. */
const TOLERANCE_PX = 1;

/** Where the window is relative to the stretch; within it the strip is pinned. */
export type Place = 'before' | 'pinned' | 'past';

export interface Pin {
  place: Place;
  /** The current card, from 0. */
  index: number;
}

export interface StripController {
  /** Show a card; scroll to the strip first if needed. */
  show: (index: number) => void;
  /** Remove all listeners. */
  end: () => void;
}

/** The scroll offset within a stretch, in pixels; the strip is pinned from 0 to `length`. */
interface Position {
  offset: number;
  length: number;
}

export function placeAt({ offset, length }: Position): Place {
  if (offset < -TOLERANCE_PX) return 'before';
  return offset > length + TOLERANCE_PX ? 'past' : 'pinned';
}

/** Return the card of a scroll position: the first at the start of the stretch, the last at its end. */
export function cardAt({ offset, length }: Position, count: number): number {
  const progress = length > 0 ? Math.min(Math.max(offset / length, 0), 1) : 0;
  return Math.round(progress * (count - 1));
}

/** Return the scroll offset of a card. */
export function offsetOf(index: number, length: number, count: number): number {
  return (length * index) / (count - 1);
}

/**
 * Step through a pinned strip of cards with the wheel (spec section 4, Sailors card strip).
 *
 * The stretch is higher than the sticky strip in it. Each card has a scroll offset in the stretch, so keys, the scroll
 * bar and links move the strip without interference; only the wheel is intercepted, to go from card to card.
 *
 * @param stretch the element; its first child is sticky
 * @param count the number of cards
 * @param shown the initial card if the strip is already pinned; 0 takes it from the scroll position
 * @param onChange called at once and on each change
 */
export function pinStrip(
  stretch: HTMLElement,
  count: number,
  shown: number,
  onChange: (pin: Pin) => void,
): StripController {
  let pin: Pin = { place: 'before', index: 0 };
  let wheel = INITIAL_WHEEL_STATE;
  let lastWheelTime = -Infinity;
  let wheelListener: AbortController | undefined;
  const listeners = new AbortController();

  function position(): Position {
    const { top, height } = stretch.getBoundingClientRect();
    const strip = stretch.firstElementChild?.getBoundingClientRect().height ?? 0;
    return { offset: -top, length: height - strip };
  }

  function scrollTo(index: number, behavior: ScrollBehavior) {
    const { offset, length } = position();
    const distance = offsetOf(index, length, count) - offset;
    if (Math.abs(distance) > TOLERANCE_PX) window.scrollTo({ top: window.scrollY + distance, behavior });
  }

  function update(next: Pin) {
    const { place, index } = pin;
    pin = next;
    if (place !== next.place) listenToWheel();
    if (place !== next.place || index !== next.index) onChange(next);
  }

  /** Listen actively only while the strip is pinned, because active wheel listeners slow scrolling. */
  function listenToWheel() {
    wheelListener?.abort();
    wheelListener = new AbortController();
    window.addEventListener('wheel', onWheel, {
      passive: pin.place !== 'pinned',
      signal: wheelListener.signal,
    });
  }

  function onWheel(event: WheelEvent) {
    const distance = wheelDistance(event);
    // Ctrl and the wheel zoom; over a menu the wheel scrolls the menu.
    if (event.ctrlKey || distance === 0 || isInMenu(event.target)) return;
    lastWheelTime = event.timeStamp;
    if (pin.place !== 'pinned') return;

    const result = reduceWheelEvent(wheel, { time: event.timeStamp, distance }, { index: pin.index, count });
    wheel = result.state;
    if (result.action === 'release') return;
    // A scroll in progress cannot be cancelled; then `onScroll` restores the position.
    if (event.cancelable) event.preventDefault();
    if (result.action !== 'hold') moveTo(pin.index + (result.action === 'next' ? 1 : -1));
  }

  function moveTo(index: number) {
    update({ ...pin, index });
    scrollTo(index, 'instant');
  }

  function onScroll({ timeStamp }: { timeStamp: number }) {
    const now = position();
    const place = placeAt(now);
    const byWheel = timeStamp - lastWheelTime < WHEEL_SCROLL_MS;
    if (!byWheel || wheel.isReleased) {
      if (place !== 'pinned') wheel = INITIAL_WHEEL_STATE;
      update({ place, index: cardAt(now, count) });
      return;
    }
    if (pin.place === 'pinned') {
      const isLeaving = place !== 'pinned' && cardAt(now, count) === pin.index;
      if (isLeaving) update({ ...pin, place });
      else scrollTo(pin.index, 'instant');
    } else if (place !== pin.place) {
      wheel = stateAfterArrival(timeStamp);
      update({ place: 'pinned', index: pin.place === 'before' ? 0 : count - 1 });
      scrollTo(pin.index, 'instant');
    }
  }

  /** Attribute the next scroll events to the key or pointer. */
  function resetWheelTime() {
    lastWheelTime = -Infinity;
  }

  const passive = { passive: true, signal: listeners.signal };
  window.addEventListener('scroll', onScroll, passive);
  window.addEventListener('keydown', resetWheelTime, { ...passive, capture: true });
  window.addEventListener('pointerdown', resetWheelTime, { ...passive, capture: true });
  window.addEventListener('resize', () => pin.place === 'pinned' && scrollTo(pin.index, 'instant'), passive);
  const start = position();
  pin = { place: placeAt(start), index: cardAt(start, count) };
  listenToWheel();
  onChange(pin);
  if (pin.place === 'pinned' && shown > 0) moveTo(shown);

  return {
    show(index) {
      resetWheelTime();
      if (pin.place === 'pinned') moveTo(index);
      else scrollTo(index, 'smooth');
    },
    end() {
      wheelListener?.abort();
      listeners.abort();
    },
  };
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [popover]') !== null;
}
