import { describe, expect, test } from 'vitest';

import {
  reduceWheelEvent,
  createArrivalState,
  getWheelDistance,
  type WheelTurn,
  INITIAL_WHEEL_STATE,
  type WheelAction,
  type WheelState,
} from './wheelSteps';

const COUNT = 6;

/** Turn the wheel over a strip that applies the actions. */
function turn(turns: WheelTurn[], from: { index: number; state?: WheelState }) {
  let { index, state = INITIAL_WHEEL_STATE } = from;
  const actions: WheelAction[] = [];
  for (const one of turns) {
    const result = reduceWheelEvent(state, one, { index, count: COUNT });
    state = result.state;
    if (result.action === 'next') index += 1;
    if (result.action === 'previous') index -= 1;
    actions.push(result.action);
  }
  return { actions, index, state };
}

function notches(
  count: number,
  {
    every,
    from = 0,
    distance = 120,
  }: Partial<WheelTurn> & { every: number; from?: number; distance?: number },
) {
  return Array.from({ length: count }, (_, number) => ({ time: from + number * every, distance }));
}

/** A trackpad gesture as browsers report it: growing while the fingers move, then decaying for over a second. */
function push({ from = 0, peak = 90, direction = 1 } = {}): WheelTurn[] {
  const swell = [0.02, 0.08, 0.25, 0.5, 0.8, 1];
  const ebb = Array.from({ length: 75 }, (_, frame) => 0.95 ** frame);
  return [...swell, ...ebb]
    .map((share) => Math.max(1, Math.round(share * peak)))
    .map((size, frame) => ({ time: from + frame * 16, distance: direction * size }));
}

function steps(actions: WheelAction[]) {
  return actions.filter((action) => action === 'next' || action === 'previous');
}

test.each([1, 40, 5000])('a gesture of %i pixels makes one step', (distance) => {
  expect(turn([{ time: 0, distance }], { index: 2 }).index).toBe(3);
});

test('each mouse notch makes a step when there are pauses', () => {
  expect(turn(notches(3, { every: 600 }), { index: 1 }).actions).toEqual(['next', 'next', 'next']);
});

test.each([
  ['within the lock', 1, 120, 499, 120, ['next', 'hold']],
  ['after the lock', 1, 120, 500, 120, ['next', 'next']],
  ['within the lock, reversed', 1, 120, 200, -120, ['next', 'hold']],
  ['at the last card, within its shorter lock', 4, 120, 299, 120, ['next', 'hold']],
  ['at the last card, after it', 4, 120, 300, 120, ['next', 'release']],
  ['at the first card, within its shorter lock', 1, -120, 299, -120, ['previous', 'hold']],
  ['at the first card, after it', 1, -120, 300, -120, ['previous', 'release']],
  ['reversed after a release', 5, 120, 100, -120, ['release', 'previous']],
])('a second notch %s', (_, index, distance, time, second, expected) => {
  const notch = [
    { time: 0, distance },
    { time, distance: second },
  ];
  expect(turn(notch, { index }).actions).toEqual(expected);
});

describe('the lock', () => {
  test('allows two steps a second to a wheel in constant motion', () => {
    const { actions, index } = turn(notches(16, { every: 80 }), { index: 0 });
    expect(steps(actions)).toEqual(['next', 'next', 'next']);
    expect(index).toBe(3);
  });

  test('does not swallow a gesture that started during it', () => {
    const first = push();
    const second = push({ from: 200 + (first.at(-1)?.time ?? 0) });
    const { actions } = turn([...first.slice(0, 10), ...second], { index: 1 });
    expect(steps(actions)).toEqual(['next', 'next']);
    const during = turn([{ time: 0, distance: 120 }, ...push({ from: 300 })], { index: 1 });
    expect(steps(during.actions)).toEqual(['next', 'next']);
  });
});

describe('trackpad momentum', () => {
  test.each([20, 90, 400])('belongs to the step of its gesture, at %i pixels per frame', (peak) => {
    const { actions, index } = turn(push({ peak }), { index: 0 });
    expect(actions[0]).toBe('next');
    expect(steps(actions)).toHaveLength(1);
    expect(index).toBe(1);
  });

  test('is one step when the browser merges frames', () => {
    const late = push().filter((_, frame) => frame % 7 !== 3);
    const doubled = late.map(({ time, distance }, frame) => ({
      time,
      distance: frame % 6 === 2 ? distance * 2 : distance,
    }));
    expect(steps(turn(doubled, { index: 0 }).actions)).toHaveLength(1);
  });

  test('is interrupted by a new gesture', () => {
    const first = push().slice(0, 50);
    const second = push({ from: (first.at(-1)?.time ?? 0) + 16 });
    expect(steps(turn([...first, ...second], { index: 0 }).actions)).toHaveLength(2);
  });

  test('is interrupted by a reversed gesture', () => {
    const first = push().slice(0, 50);
    const second = push({ from: (first.at(-1)?.time ?? 0) + 16, direction: -1 });
    expect(turn([...first, ...second], { index: 2 }).index).toBe(2);
  });

  test('of the step to the last card does not scroll the page', () => {
    const { actions, index } = turn(push(), { index: COUNT - 2 });
    expect(index).toBe(COUNT - 1);
    expect(actions).not.toContain('release');
  });
});

describe('the pin', () => {
  test('releases the whole gesture', () => {
    const { actions } = turn(push(), { index: COUNT - 1 });
    expect(new Set(actions)).toEqual(new Set(['release']));
  });

  test('ignores the momentum of the gesture that reached it', () => {
    const momentum = push().slice(12);
    const state = createArrivalState((momentum[0]?.time ?? 0) - 16);
    expect(new Set(turn(momentum, { index: 0, state }).actions)).toEqual(new Set(['hold']));
  });

  test.each([
    [299, 'hold'],
    [300, 'next'],
  ])('after arriving by wheel answers a notch %i ms later with %j', (time, action) => {
    expect(turn([{ time, distance: 120 }], { index: 0, state: createArrivalState(0) }).actions).toEqual([
      action,
    ]);
  });
});

describe('the distance of a wheel event', () => {
  test.each<[string, WheelEventInit, number]>([
    ['is in pixels', { deltaY: 53 }, 53],
    ['is negative upwards', { deltaY: -53 }, -53],
    ['includes horizontal scrolling', { deltaX: 30 }, 30],
    ['follows the dominant axis', { deltaX: -30, deltaY: 8 }, -30],
    ['converts lines (Firefox)', { deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE }, 120],
    ['converts pages', { deltaY: 1, deltaMode: WheelEvent.DOM_DELTA_PAGE }, 800],
  ])('%s', (_, init, distance) => {
    expect(getWheelDistance(new WheelEvent('wheel', init))).toBe(distance);
  });
});
