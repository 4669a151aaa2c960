/** How long the strip is locked after a step (spec section 9). */
const STEP_LOCK_MS = 500;

/** How long it is locked after a step to the first or the last card (spec section 9). */
const END_LOCK_MS = 300;

/** A pause of this length ends a gesture. */
const PAUSE_MS = 150;

/** Equal events of at least this size are notches of a mouse wheel; each is a gesture. */
const NOTCH_PX = 40;

/** Trackpad momentum decays; an event that is not faint and grows by this factor starts a new gesture. */
const GROWTH_FACTOR = 3;
const FAINT_PX = 10;

/** Pixels per line and per page (UI Events, WheelEvent.deltaMode). */
const LINE_PX = 40;
const PAGE_PX = 800;

/** A wheel event. */
export interface WheelTurn {
  /** In milliseconds, from any origin. */
  time: number;
  /** In pixels, positive forwards. */
  distance: number;
}

export interface WheelState {
  readonly last: WheelTurn;
  /** The smallest event since the lock ended, in pixels. */
  readonly smallest: number;
  readonly lockedUntil: number;
  /** Whether the current gesture has made its step. */
  readonly hasStepped: boolean;
  /** Whether the current gesture scrolls the page. */
  readonly isReleased: boolean;
}

/** The effect of a wheel event: a step, none, or scrolling the page. */
export type WheelAction = 'next' | 'previous' | 'hold' | 'release';

export const INITIAL_WHEEL_STATE: WheelState = {
  last: { time: -Infinity, distance: 0 },
  smallest: 0,
  lockedUntil: -Infinity,
  hasStepped: false,
  isReleased: false,
};

/** Return the state after a gesture has scrolled to the strip; the rest of the gesture makes no step. */
export function createArrivalState(time: number): WheelState {
  return {
    ...INITIAL_WHEEL_STATE,
    last: { time, distance: 0 },
    lockedUntil: time + END_LOCK_MS,
    hasStepped: true,
  };
}

/** Return the distance of a wheel event in pixels along its dominant axis. */
export function getWheelDistance({ deltaX, deltaY, deltaMode }: WheelEvent): number {
  const delta = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY;
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return delta * LINE_PX;
  if (deltaMode === WheelEvent.DOM_DELTA_PAGE) return delta * PAGE_PX;
  return delta;
}

/**
 * Return the effect of a wheel event on a pinned strip and the next state (spec section 4, Sailors card strip).
 *
 * A gesture makes one step and locks the strip; a gesture beyond either end scrolls the page. A gesture is a notch of a
 * mouse wheel, or a swipe on a trackpad with its momentum.
 *
 * @param state the state that the previous call returned
 * @param event must have a distance other than 0
 * @param strip the current card and the number of cards
 */
export function reduceWheelEvent(
  state: WheelState,
  event: WheelTurn,
  { index, count }: { index: number; count: number },
): { action: WheelAction; state: WheelState } {
  const size = Math.abs(event.distance);
  const rested = event.time - state.last.time >= PAUSE_MS;

  if (event.time < state.lockedUntil) {
    const hasStepped = state.hasStepped && !rested;
    return { action: 'hold', state: { ...state, last: event, smallest: size, hasStepped } };
  }

  if (!rested && !isNewGesture(state, event)) {
    const continued = { ...state, last: event, smallest: Math.min(state.smallest, size) };
    if (state.isReleased) return { action: 'release', state: continued };
    if (state.hasStepped) return { action: 'hold', state: continued };
  }

  const target = index + Math.sign(event.distance);
  const started = { ...state, last: event, smallest: size, hasStepped: true };
  if (target < 0 || target >= count) return { action: 'release', state: { ...started, isReleased: true } };

  const lock = target === 0 || target === count - 1 ? END_LOCK_MS : STEP_LOCK_MS;
  return {
    action: event.distance > 0 ? 'next' : 'previous',
    state: { ...started, lockedUntil: event.time + lock, isReleased: false },
  };
}

/** Return whether an event without a pause before it starts a new gesture. */
function isNewGesture({ last, smallest }: WheelState, { distance }: WheelTurn): boolean {
  const size = Math.abs(distance);
  const reversed = distance * last.distance < 0;
  const isNotch = size >= NOTCH_PX && distance === last.distance;
  return reversed || isNotch || (size >= FAINT_PX && size > GROWTH_FACTOR * smallest);
}
