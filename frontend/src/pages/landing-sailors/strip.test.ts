import { expect, test } from 'vitest';

import { INITIAL_STATE, LAST, reduceStrip, type StripEvent, type StripState } from './strip';

const NOW = 10_000;

const at = (phase: StripState['phase'], index: number, state: Partial<StripState> = {}): StripState => ({
  ...INITIAL_STATE,
  phase,
  index,
  ...state,
});
const wheel = (distance: number): StripEvent => ({ type: 'wheel', distance });
const scroll = (phase: StripState['phase'], index: number): StripEvent => ({ type: 'scroll', phase, index });

/** The wheel has just been turned; the last gesture has made its step, or scrolls the page. */
const byWheel = { wheelScrollsUntil: NOW + 1 };
const stepped = { ...byWheel, gesture: 'stepped', turn: { time: NOW - 16, distance: 90 } } as const;
const released = { ...byWheel, gesture: 'released' } as const;

const show: StripEvent = { type: 'show', index: 4 };
const press: StripEvent = { type: 'press' };

test.each<[what: string, state: StripState, event: StripEvent, expected: Partial<StripState>]>([
  ['a turn is a step', at('pinned', 2), wheel(1), { index: 3, target: 3, isHeld: true }],
  ['a turn back is a step back', at('pinned', 2), wheel(-5000), { index: 1, target: 1, isHeld: true }],
  ['a step locks the strip', at('pinned', 2), wheel(120), { lockedUntil: NOW + 500 }],
  ['a step to the last card locks it for less', at('pinned', 4), wheel(120), { lockedUntil: NOW + 300 }],
  ['so does one to the first', at('pinned', 1), wheel(-120), { lockedUntil: NOW + 300 }],
  ['it releases at the first card', at('pinned', 0), wheel(-120), { index: 0, isHeld: false }],
  ['it releases at the last card', at('pinned', LAST), wheel(120), { index: LAST, isHeld: false }],
  ['the page above it scrolls freely', at('before', 0), wheel(120), { index: 0, isHeld: false }],

  ['a fling stops at the first card', at('before', 0, byWheel), scroll('pinned', 2), { target: 0 }],
  ['a fling past it is fetched back', at('before', 0, byWheel), scroll('past', LAST), { target: 0 }],
  ['one from below stops at the last', at('past', LAST, byWheel), scroll('pinned', 1), { target: LAST }],
  ['an arrival locks it', at('before', 0, byWheel), scroll('pinned', 0), { lockedUntil: NOW + 300 }],
  ['the wheel scrolls on above it', at('before', 0, byWheel), scroll('before', 0), { phase: 'before' }],
  ['uncancelable scrolling is undone', at('pinned', 1, stepped), scroll('pinned', 3), { target: 1 }],
  ['also beyond an end', at('pinned', 3, stepped), scroll('past', LAST), { phase: 'pinned', target: 3 }],
  ['but not at that end', at('pinned', LAST, stepped), scroll('past', LAST), { phase: 'past' }],
  ['a released gesture leaves', at('pinned', 0, released), scroll('before', 0), at('before', 0, byWheel)],
  ['other scrolling moves the cards', at('pinned', 1), scroll('pinned', 3), at('pinned', 3)],
  ['it ends the gesture outside', at('pinned', 5, { gesture: 'stepped' }), scroll('past', 5), at('past', 5)],
  [
    'the wheel counts not for long',
    at('before', 0, { wheelScrollsUntil: NOW }),
    scroll('pinned', 2),
    { index: 2 },
  ],
  ['a key takes over from the wheel', at('pinned', 1, byWheel), press, { wheelScrollsUntil: -Infinity }],

  ['a pinned card is shown at once', at('pinned', 1, byWheel), show, at('pinned', 4, { target: 4 })],
  ['the page scrolls to a card', at('before', 0), show, at('before', 0, { target: 4 })],
])('%s', (_, state, event, expected) => {
  expect(reduceStrip(state, event, NOW)).toMatchObject(expected);
});

interface Turn {
  time: number;
  distance: number;
}

/** Turn the wheel over a pinned strip. Return the steps, and `hold` and `release` once for each series of them. */
function turn(index: number, turns: Turn[], more: Partial<StripState> = {}) {
  let state = at('pinned', index, more);
  const effects: string[] = [];
  for (const { time, distance } of turns) {
    const { index: before } = state;
    state = reduceStrip(state, wheel(distance), time);
    const step = state.index > before ? 'next' : 'previous';
    const effect = state.index !== before ? step : state.isHeld ? 'hold' : 'release';
    if (effect === step || effect !== effects.at(-1)) effects.push(effect);
  }
  return effects;
}

const notches = (count: number, every: number): Turn[] =>
  Array.from({ length: count }, (_, number) => ({ time: number * every, distance: 120 }));

/** A trackpad gesture as browsers report it: growing while the fingers move, then decaying for over a second. */
function push({ from = 0, peak = 90, direction = 1 } = {}): Turn[] {
  const ebb = Array.from({ length: 75 }, (_, frame) => 0.95 ** frame);
  return [0.02, 0.08, 0.25, 0.5, 0.8, ...ebb].map((share, frame) => ({
    time: from + frame * 16,
    distance: direction * Math.max(1, Math.round(share * peak)),
  }));
}

test.each([
  ['within the lock', 1, 120, 499, 120, ['next', 'hold']],
  ['after the lock', 1, 120, 500, 120, ['next', 'next']],
  ['within the lock, reversed', 1, 120, 200, -120, ['next', 'hold']],
  ['at the last card, within its shorter lock', 4, 120, 299, 120, ['next', 'hold']],
  ['at the last card, after it', 4, 120, 300, 120, ['next', 'release']],
  ['at the first card, after it', 1, -120, 300, -120, ['previous', 'release']],
  ['reversed after a release', 5, 120, 100, -120, ['release', 'previous']],
])('a second notch %s', (_, index, distance, time, second, expected) => {
  const turns = [
    { time: 0, distance },
    { time, distance: second },
  ];
  expect(turn(index, turns)).toEqual(expected);
});

/** A push whose frames the browser has merged: some are late, some twice as large. */
const merged = push()
  .filter((_, frame) => frame % 7 !== 3)
  .map(({ time, distance }, frame) => ({ time, distance: frame % 6 === 2 ? distance * 2 : distance }));
const early = push().slice(0, 50);
const [next, hold] = ['next', 'hold'];

test.each([
  ['of notches with pauses: each is a step', 1, notches(3, 600), [next, next, next]],
  ['of notches without: two steps a second', 0, notches(16, 80), [next, hold, next, hold, next, hold]],
  ['of a weak trackpad is one step', 0, push({ peak: 20 }), [next, hold]],
  ['of a strong trackpad is one step', 0, push({ peak: 400 }), [next, hold]],
  ['in merged frames is one step', 0, merged, [next, hold]],
  ['interrupted by another: two', 0, [...early, ...push({ from: 800 })], [next, hold, next, hold]],
  ['reversed', 2, [...early, ...push({ from: 800, direction: -1 })], [next, hold, 'previous', hold]],
  ['begun within the lock', 1, [...notches(1, 0), ...push({ from: 300 })], [next, hold, next, hold]],
  ['to the last card does not scroll the page', LAST - 1, push(), [next, hold]],
  ['at the last card scrolls the page', LAST, push(), ['release']],
])('a gesture %s', (_, index, turns, expected) => {
  expect(turn(index, turns)).toEqual(expected);
});

test('a gesture that reached the strip makes no step', () => {
  const arrived = reduceStrip(at('before', 0, byWheel), scroll('pinned', 0), 0);
  expect(turn(0, push({ from: -176 }).slice(12), arrived)).toEqual(['hold']);
  expect(turn(0, [{ time: 299, distance: 120 }], arrived)).toEqual(['hold']);
  expect(turn(0, [{ time: 300, distance: 120 }], arrived)).toEqual(['next']);
});
