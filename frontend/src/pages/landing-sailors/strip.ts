import { FEATURES } from './features';

export const LAST = FEATURES.length - 1;

/** How long the strip is locked after a step, and after one to the first or the last card (spec section 9). */
const STEP_LOCK_MS = 500;
const END_LOCK_MS = 300;

/** A pause of this length ends a gesture. */
const PAUSE_MS = 150;

/** How long after a wheel event scrolling is attributed to it. */
const WHEEL_SCROLL_MS = 500;

/** Equal events of at least this size are notches of a mouse wheel; each is a gesture. */
const NOTCH_PX = 40;

/** Trackpad momentum decays; an event that is not faint and grows by this factor starts a new gesture. */
const GROWTH_FACTOR = 3;
const FAINT_PX = 10;

/** Where the window is relative to the section; within it the strip is pinned. A carousel is always `before`. */
type Phase = 'before' | 'pinned' | 'past';

export type StripEvent =
  /** A turn of the wheel, in pixels, positive forwards. */
  | { type: 'wheel'; distance: number }
  /** The window or the carousel has been scrolled; `index` is the card of its position. */
  | { type: 'scroll'; phase: Phase; index: number }
  /** A key or a pointer is pressed, which the next scrolling belongs to. */
  | { type: 'press' }
  /** A card is asked for. */
  | { type: 'show'; index: number };

export interface StripState {
  phase: Phase;
  /** The current card, from 0. */
  index: number;
  /** Answers to the last event: the card to scroll to, and whether the wheel must not scroll the page. */
  target?: number | undefined;
  isHeld: boolean;
  /** Whether the present gesture has made its step, or scrolls the page. */
  gesture: 'none' | 'stepped' | 'released';
  lockedUntil: number;
  /** The last turn, and the size of the smallest one since the lock ended. */
  turn: { time: number; distance: number };
  smallest: number;
  /** Until when scrolling is attributed to the wheel. */
  wheelScrollsUntil: number;
}

const NO_GESTURE = {
  gesture: 'none',
  lockedUntil: -Infinity,
  turn: { time: -Infinity, distance: 0 },
  smallest: 0,
} as const;

export const INITIAL_STATE: StripState = {
  ...NO_GESTURE,
  phase: 'before',
  index: 0,
  isHeld: false,
  wheelScrollsUntil: -Infinity,
};

/**
 * Step through the strip (spec section 4, Sailors card strip).
 *
 * A gesture makes one step and locks the strip; a gesture beyond either end scrolls the page. A gesture is a notch of a
 * mouse wheel, or a swipe on a trackpad with its momentum. Keys, the scroll bar and links scroll freely.
 */
export function reduceStrip(previous: StripState, event: StripEvent, now: number): StripState {
  const state = { ...previous, target: undefined, isHeld: false };
  const isPinned = state.phase === 'pinned';
  switch (event.type) {
    case 'wheel': {
      const turned = { ...state, wheelScrollsUntil: now + WHEEL_SCROLL_MS };
      return isPinned ? turnWheel(turned, event.distance, now) : turned;
    }
    case 'press':
      return { ...state, wheelScrollsUntil: -Infinity };
    case 'show':
      return {
        ...state,
        wheelScrollsUntil: -Infinity,
        index: isPinned ? event.index : state.index,
        target: event.index,
      };
    case 'scroll': {
      const { phase, index } = event;
      const isByWheel = now < state.wheelScrollsUntil && state.gesture !== 'released';
      if (!isByWheel) return { ...state, ...(phase !== 'pinned' && NO_GESTURE), phase, index };
      if (phase === state.phase && !isPinned) return state;
      if (!isPinned) return arrive(state, now);
      // The wheel event could not be cancelled. The card stays, unless it is one at an end.
      const isLeaving = phase !== 'pinned' && index === state.index;
      return isLeaving ? { ...state, phase } : { ...state, target: state.index };
    }
  }
}

/** Stop a fling at the strip; the rest of its gesture makes no step. */
function arrive(state: StripState, now: number): StripState {
  const index = state.phase === 'before' ? 0 : LAST;
  return {
    ...state,
    ...NO_GESTURE,
    phase: 'pinned',
    index,
    target: index,
    gesture: 'stepped',
    lockedUntil: now + END_LOCK_MS,
    turn: { time: now, distance: 0 },
  };
}

function turnWheel(state: StripState, distance: number, now: number): StripState {
  const { turn, smallest, gesture } = state;
  const size = Math.abs(distance);
  const hasPaused = now - turn.time >= PAUSE_MS;
  const turned = { ...state, turn: { time: now, distance }, smallest: size, isHeld: true };
  if (now < state.lockedUntil) return { ...turned, gesture: hasPaused ? 'none' : gesture };

  const hasReversed = distance * turn.distance < 0;
  const isNotch = size >= NOTCH_PX && distance === turn.distance;
  const hasGrown = size >= FAINT_PX && size > GROWTH_FACTOR * smallest;
  if (gesture !== 'none' && !hasPaused && !hasReversed && !isNotch && !hasGrown)
    return { ...turned, smallest: Math.min(smallest, size), isHeld: gesture === 'stepped' };

  const index = state.index + Math.sign(distance);
  if (index < 0 || index > LAST) return { ...turned, gesture: 'released', isHeld: false };
  const lock = index === 0 || index === LAST ? END_LOCK_MS : STEP_LOCK_MS;
  return { ...turned, gesture: 'stepped', index, target: index, lockedUntil: now + lock };
}
