/** How long the strip is locked after a step, in milliseconds (spec section 9). */
export const STEP_LOCK = 500;

/** The same for a step that arrives at the first or the last card (spec section 9). */
export const END_LOCK = 300;

/** A wheel that rested for this many milliseconds has ended its movement. */
const PAUSE = 150;

/** From this many pixels on, equal turns in a row are the notches of a mouse wheel, each of them a movement. */
const NOTCH = 40;

/** A trackpad's momentum ebbs away; what grows to more than so many times its ebb, and is not faint, is a new push. */
const SWELL = 3;
const FAINT = 10;

/** Pixels in a line and in a page, the other units of a wheel (UI Events, WheelEvent.deltaMode). */
const LINE = 40;
const PAGE = 800;

/** One event of the wheel. */
export interface Turn {
  /** In milliseconds, from any moment. */
  time: number;
  /** In pixels; forward is positive. */
  distance: number;
}

/** What is remembered from one turn to the next. */
export interface WheelMemory {
  readonly last: Turn;
  /** The faintest turn since the lock ended. */
  readonly ebb: number;
  readonly lockedUntil: number;
  /** Whether the movement has already made its step. */
  readonly spent: boolean;
  /** Whether the movement was left to the page. */
  readonly released: boolean;
}

/** What becomes of a turn: a step, nothing, or what the page does with it. */
export type WheelAnswer = 'next' | 'previous' | 'hold' | 'release';

export const WHEEL_AT_REST: WheelMemory = {
  last: { time: -Infinity, distance: 0 },
  ebb: 0,
  lockedUntil: -Infinity,
  spent: false,
  released: false,
};

/** The memory after a movement has brought the strip to its pin: what is left of that movement steps no further. */
export function arrivedByWheel(time: number): WheelMemory {
  return { ...WHEEL_AT_REST, last: { time, distance: 0 }, lockedUntil: time + END_LOCK, spent: true };
}

/** How far a wheel event turns, in pixels, along the axis that it turns more along. */
export function distanceOf({ deltaX, deltaY, deltaMode }: WheelEvent): number {
  const delta = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY;
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return delta * LINE;
  if (deltaMode === WheelEvent.DOM_DELTA_PAGE) return delta * PAGE;
  return delta;
}

/**
 * Decides what a turn of the wheel does to a pinned strip (spec section 4, Sailors card strip).
 *
 * A movement makes one step and locks the strip; a movement beyond an end is the page's. A movement is a notch of a mouse
 * wheel, or a whole push of a trackpad with the momentum that follows it.
 *
 * @param memory what the previous call returned
 * @param turn the event; its distance is not 0
 * @param strip which of its cards shows, and how many it has
 */
export function answerTurn(
  memory: WheelMemory,
  turn: Turn,
  { index, count }: { index: number; count: number },
): { answer: WheelAnswer; memory: WheelMemory } {
  const size = Math.abs(turn.distance);
  const rested = turn.time - memory.last.time >= PAUSE;

  if (turn.time < memory.lockedUntil) {
    const spent = memory.spent && !rested;
    return { answer: 'hold', memory: { ...memory, last: turn, ebb: size, spent } };
  }

  if (!rested && !isNewPush(memory, turn)) {
    const still = { ...memory, last: turn, ebb: Math.min(memory.ebb, size) };
    if (memory.released) return { answer: 'release', memory: still };
    if (memory.spent) return { answer: 'hold', memory: still };
  }

  const target = index + Math.sign(turn.distance);
  const begun = { ...memory, last: turn, ebb: size, spent: true };
  if (target < 0 || target >= count) return { answer: 'release', memory: { ...begun, released: true } };

  const lock = target === 0 || target === count - 1 ? END_LOCK : STEP_LOCK;
  return {
    answer: turn.distance > 0 ? 'next' : 'previous',
    memory: { ...begun, lockedUntil: turn.time + lock, released: false },
  };
}

/** Whether a turn that follows others without a pause is more than what is left of their movement. */
function isNewPush({ last, ebb }: WheelMemory, { distance }: Turn): boolean {
  const size = Math.abs(distance);
  const turnedBack = distance * last.distance < 0;
  const nextNotch = size >= NOTCH && distance === last.distance;
  return turnedBack || nextNotch || (size >= FAINT && size > SWELL * ebb);
}
