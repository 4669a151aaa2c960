import { reduceWheelEvent, createArrivalState, getWheelDistance, INITIAL_WHEEL_STATE } from './wheelSteps';

/** How long after a wheel event a scroll event is attributed to it. */
const WHEEL_SCROLL_MS = 500;

/** Scroll positions may be fractions of a pixel. */
const TOLERANCE_PX = 1;

/** Where the window is relative to the section; within it the strip is pinned. */
type StripPhase = 'before' | 'pinned' | 'past';

export interface StripState {
  phase: StripPhase;
  /** The current card, from 0. */
  index: number;
}

export interface StripController {
  /** Show a card; scroll to the strip first if needed. */
  show: (index: number) => void;
  /** Remove all listeners. */
  end: () => void;
}

/** The scroll offset within a section, in pixels; the strip is pinned from 0 to `length`. */
interface Position {
  offset: number;
  length: number;
}

export function getPhase({ offset, length }: Position): StripPhase {
  if (offset < -TOLERANCE_PX) return 'before';
  return offset > length + TOLERANCE_PX ? 'past' : 'pinned';
}

/** Return the card of a scroll position: the first at the start of the section, the last at its end. */
export function findCard({ offset, length }: Position, count: number): number {
  const progress = length > 0 ? Math.min(Math.max(offset / length, 0), 1) : 0;
  return Math.round(progress * (count - 1));
}

/** Return the scroll offset of a card. */
export function getOffset(index: number, length: number, count: number): number {
  return (length * index) / (count - 1);
}

/**
 * Step through a pinned strip of cards with the wheel (spec section 4, Sailors card strip).
 *
 * The section is higher than the sticky strip in it. Each card has a scroll offset in the section, so keys, the scroll
 * bar and links move the strip without interference; only the wheel is intercepted, to go from card to card.
 *
 * @param section the element; its first child is sticky
 * @param count the number of cards
 * @param shown the initial card if the strip is already pinned; 0 takes it from the scroll position
 * @param onChange called at once and on each change
 */
export function pinStrip(
  section: HTMLElement,
  count: number,
  shown: number,
  onChange: (state: StripState) => void,
): StripController {
  let state: StripState = { phase: 'before', index: 0 };
  let wheel = INITIAL_WHEEL_STATE;
  let lastWheelTime = -Infinity;
  let wheelListener: AbortController | undefined;
  const listeners = new AbortController();

  function position(): Position {
    const { top, height } = section.getBoundingClientRect();
    const strip = section.firstElementChild?.getBoundingClientRect().height ?? 0;
    return { offset: -top, length: height - strip };
  }

  function scrollTo(index: number, behavior: ScrollBehavior) {
    const { offset, length } = position();
    const distance = getOffset(index, length, count) - offset;
    if (Math.abs(distance) > TOLERANCE_PX) window.scrollTo({ top: window.scrollY + distance, behavior });
  }

  function update(next: StripState) {
    const { phase, index } = state;
    state = next;
    if (phase !== next.phase) listenToWheel();
    if (phase !== next.phase || index !== next.index) onChange(next);
  }

  /** Listen actively only while the strip is pinned, because active wheel listeners slow scrolling. */
  function listenToWheel() {
    wheelListener?.abort();
    wheelListener = new AbortController();
    window.addEventListener('wheel', onWheel, {
      passive: state.phase !== 'pinned',
      signal: wheelListener.signal,
    });
  }

  function onWheel(event: WheelEvent) {
    const distance = getWheelDistance(event);
    // Ctrl and the wheel zoom; over a menu the wheel scrolls the menu.
    if (event.ctrlKey || distance === 0 || isInMenu(event.target)) return;
    lastWheelTime = event.timeStamp;
    if (state.phase !== 'pinned') return;

    const result = reduceWheelEvent(
      wheel,
      { time: event.timeStamp, distance },
      { index: state.index, count },
    );
    wheel = result.state;
    if (result.action === 'release') return;
    // A scroll in progress cannot be cancelled; then `onScroll` restores the position.
    if (event.cancelable) event.preventDefault();
    if (result.action !== 'hold') moveTo(state.index + (result.action === 'next' ? 1 : -1));
  }

  function moveTo(index: number) {
    update({ ...state, index });
    scrollTo(index, 'instant');
  }

  function onScroll({ timeStamp }: { timeStamp: number }) {
    const now = position();
    const phase = getPhase(now);
    const byWheel = timeStamp - lastWheelTime < WHEEL_SCROLL_MS;
    if (!byWheel || wheel.isReleased) {
      if (phase !== 'pinned') wheel = INITIAL_WHEEL_STATE;
      update({ phase, index: findCard(now, count) });
      return;
    }
    if (state.phase === 'pinned') {
      const isLeaving = phase !== 'pinned' && findCard(now, count) === state.index;
      if (isLeaving) update({ ...state, phase });
      else scrollTo(state.index, 'instant');
    } else if (phase !== state.phase) {
      wheel = createArrivalState(timeStamp);
      update({ phase: 'pinned', index: state.phase === 'before' ? 0 : count - 1 });
      scrollTo(state.index, 'instant');
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
  window.addEventListener(
    'resize',
    () => state.phase === 'pinned' && scrollTo(state.index, 'instant'),
    passive,
  );
  const start = position();
  state = { phase: getPhase(start), index: findCard(start, count) };
  listenToWheel();
  onChange(state);
  if (state.phase === 'pinned' && shown > 0) moveTo(shown);

  return {
    show(index) {
      resetWheelTime();
      if (state.phase === 'pinned') moveTo(index);
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
