import { describe, expect, test } from 'vitest';

import {
  answerTurn,
  arrivedByWheel,
  distanceOf,
  type Turn,
  WHEEL_AT_REST,
  type WheelAnswer,
  type WheelMemory,
} from './wheelSteps';

const COUNT = 6;

/** Turns the wheel over a strip that follows the answers. */
function turn(turns: Turn[], from: { index: number; memory?: WheelMemory }) {
  let { index, memory = WHEEL_AT_REST } = from;
  const answers: WheelAnswer[] = [];
  for (const one of turns) {
    const result = answerTurn(memory, one, { index, count: COUNT });
    memory = result.memory;
    if (result.answer === 'next') index += 1;
    if (result.answer === 'previous') index -= 1;
    answers.push(result.answer);
  }
  return { answers, index, memory };
}

/** Notches of a mouse wheel. */
function notches(
  count: number,
  { every, from = 0, distance = 120 }: Partial<Turn> & { every: number; from?: number; distance?: number },
) {
  return Array.from({ length: count }, (_, number) => ({ time: from + number * every, distance }));
}

/** A push of a trackpad as browsers report it: it swells while the fingers move, then ebbs away for a second and more. */
function push({ from = 0, peak = 90, direction = 1 } = {}): Turn[] {
  const swell = [0.02, 0.08, 0.25, 0.5, 0.8, 1];
  const ebb = Array.from({ length: 75 }, (_, frame) => 0.95 ** frame);
  return [...swell, ...ebb]
    .map((share) => Math.max(1, Math.round(share * peak)))
    .map((size, frame) => ({ time: from + frame * 16, distance: direction * size }));
}

function steps(answers: WheelAnswer[]) {
  return answers.filter((answer) => answer === 'next' || answer === 'previous');
}

describe('a movement of the wheel', () => {
  test('forward steps one card on', () => {
    expect(turn([{ time: 0, distance: 120 }], { index: 2 })).toMatchObject({ answers: ['next'], index: 3 });
  });

  test('back steps one card back', () => {
    expect(turn([{ time: 0, distance: -120 }], { index: 2 })).toMatchObject({
      answers: ['previous'],
      index: 1,
    });
  });

  test('of any strength steps one card', () => {
    for (const distance of [1, 40, 5000]) {
      expect(turn([{ time: 0, distance }], { index: 2 }).index).toBe(3);
    }
  });

  test('of a mouse notch by notch, with rests between them, steps once a notch', () => {
    expect(turn(notches(3, { every: 600 }), { index: 1 }).answers).toEqual(['next', 'next', 'next']);
  });
});

describe('the lock', () => {
  test.each([
    [499, 'hold'],
    [500, 'next'],
  ])('after a step: a notch %i ms later gives %j', (time, answer) => {
    const { answers } = turn(
      [
        { time: 0, distance: 120 },
        { time, distance: 120 },
      ],
      { index: 1 },
    );
    expect(answers).toEqual(['next', answer]);
  });

  test.each([
    [299, 'hold'],
    [300, 'release'],
  ])('at the last card: a notch %i ms after the step to it gives %j', (time, answer) => {
    const { answers } = turn(
      [
        { time: 0, distance: 120 },
        { time, distance: 120 },
      ],
      { index: 4 },
    );
    expect(answers).toEqual(['next', answer]);
  });

  test.each([
    [299, 'hold'],
    [300, 'release'],
  ])('at the first card: a notch %i ms after the step to it gives %j', (time, answer) => {
    const { answers } = turn(
      [
        { time: 0, distance: -120 },
        { time, distance: -120 },
      ],
      { index: 1 },
    );
    expect(answers).toEqual(['previous', answer]);
  });

  test('holds a turn back, too', () => {
    const { answers } = turn(
      [
        { time: 0, distance: 120 },
        { time: 200, distance: -120 },
      ],
      { index: 1 },
    );
    expect(answers).toEqual(['next', 'hold']);
  });

  test('lets a wheel that is turned on and on step twice a second', () => {
    const { answers, index } = turn(notches(16, { every: 80 }), { index: 0 });
    expect(steps(answers)).toEqual(['next', 'next', 'next']);
    expect(index).toBe(3);
  });

  test('does not swallow a push that began during it', () => {
    const first = push();
    const second = push({ from: 200 + (first.at(-1)?.time ?? 0) });
    const { answers } = turn([...first.slice(0, 10), ...second], { index: 1 });
    expect(steps(answers)).toEqual(['next', 'next']);
    const during = turn([{ time: 0, distance: 120 }, ...push({ from: 300 })], { index: 1 });
    expect(steps(during.answers)).toEqual(['next', 'next']);
  });
});

describe("a trackpad's momentum", () => {
  test.each([20, 90, 400])('is one step with the push that it belongs to, of %i pixels a frame', (peak) => {
    const { answers, index } = turn(push({ peak }), { index: 0 });
    expect(answers[0]).toBe('next');
    expect(steps(answers)).toHaveLength(1);
    expect(index).toBe(1);
  });

  test('stays one step when the browser is late and gives two frames in one', () => {
    const late = push().filter((_, frame) => frame % 7 !== 3);
    const doubled = late.map(({ time, distance }, frame) => ({
      time,
      distance: frame % 6 === 2 ? distance * 2 : distance,
    }));
    expect(steps(turn(doubled, { index: 0 }).answers)).toHaveLength(1);
  });

  test('gives way to a new push in the midst of it', () => {
    const first = push().slice(0, 50);
    const second = push({ from: (first.at(-1)?.time ?? 0) + 16 });
    expect(steps(turn([...first, ...second], { index: 0 }).answers)).toHaveLength(2);
  });

  test('gives way to a push back', () => {
    const first = push().slice(0, 50);
    const second = push({ from: (first.at(-1)?.time ?? 0) + 16, direction: -1 });
    expect(turn([...first, ...second], { index: 2 }).index).toBe(2);
  });

  test('of the step to the last card does not run on into the page', () => {
    const { answers, index } = turn(push(), { index: COUNT - 2 });
    expect(index).toBe(COUNT - 1);
    expect(answers).not.toContain('release');
  });
});

describe('the pin', () => {
  test('releases at the last card, forward', () => {
    expect(turn([{ time: 0, distance: 120 }], { index: COUNT - 1 }).answers).toEqual(['release']);
  });

  test('releases at the first card, back', () => {
    expect(turn([{ time: 0, distance: -120 }], { index: 0 }).answers).toEqual(['release']);
  });

  test('lets the whole of a released movement go', () => {
    const { answers } = turn(push(), { index: COUNT - 1 });
    expect(new Set(answers)).toEqual(new Set(['release']));
  });

  test('takes a movement back again after a release', () => {
    const { answers } = turn(
      [
        { time: 0, distance: 120 },
        { time: 100, distance: -120 },
      ],
      { index: COUNT - 1 },
    );
    expect(answers).toEqual(['release', 'previous']);
  });

  test('steps no further by the momentum that it was reached with', () => {
    const momentum = push().slice(12);
    const memory = arrivedByWheel((momentum[0]?.time ?? 0) - 16);
    expect(new Set(turn(momentum, { index: 0, memory }).answers)).toEqual(new Set(['hold']));
  });

  test.each([
    [299, 'hold'],
    [300, 'next'],
  ])('reached by the wheel holds it: a notch %i ms later gives %j', (time, answer) => {
    expect(turn([{ time, distance: 120 }], { index: 0, memory: arrivedByWheel(0) }).answers).toEqual([
      answer,
    ]);
  });
});

describe('the distance of a wheel event', () => {
  test.each<[string, WheelEventInit, number]>([
    ['is its pixels', { deltaY: 53 }, 53],
    ['is negative upwards', { deltaY: -53 }, -53],
    ['counts sideways', { deltaX: 30 }, 30],
    ['goes by the axis that is turned more', { deltaX: -30, deltaY: 8 }, -30],
    ['counts lines, as Firefox does, like a notch', { deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE }, 120],
    ['counts pages', { deltaY: 1, deltaMode: WheelEvent.DOM_DELTA_PAGE }, 800],
  ])('%s', (_, init, distance) => {
    expect(distanceOf(new WheelEvent('wheel', init))).toBe(distance);
  });
});
