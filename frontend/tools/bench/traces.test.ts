import { expect, test } from 'vitest';

import { costOf } from './traces.js';

const MAIN = { pid: 7, tid: 1 };

function event(name: string, ts: number, dur: number, rest: object = {}) {
  return { name, ph: 'X', ts, tts: ts, tdur: dur, args: {}, ...MAIN, ...rest };
}

const keydown = event('EventDispatch', 1000, 4000, { args: { data: { type: 'keydown' } } });

test('script counts until the paint that follows, and until the end', () => {
  const trace = [
    event('FunctionCall', 0, 900), // before the press
    keydown,
    event('FunctionCall', 6000, 2000),
    event('Layout', 8000, 5000), // no script
    event('Paint', 13_000, 500),
    event('FunctionCall', 14_000, 3000),
  ];
  expect(costOf(trace)).toMatchObject({ toPaint: 6, inAll: 9 });
});

test('what runs inside something else counts once', () => {
  const trace = [keydown, event('FunctionCall', 2000, 2500), event('MinorGC', 4500, 1500)];
  expect(costOf(trace)).toMatchObject({ toPaint: 5, inAll: 5 });
});

test('what a script makes the browser render does not count as script', () => {
  const trace = [
    keydown,
    event('FunctionCall', 6000, 10_000),
    event('UpdateLayoutTree', 7000, 3000),
    event('Layout', 10_000, 2000),
    event('Layout', 17_000, 2000), // nobody waits for it
  ];
  expect(costOf(trace)).toMatchObject({ toPaint: 9, inAll: 9 });
});

test('what other threads do does not count', () => {
  const trace = [
    keydown,
    event('FunctionCall', 6000, 9000, { tid: 2 }),
    event('FunctionCall', 6000, 9000, { pid: 8 }),
  ];
  expect(costOf(trace).inAll).toBe(4);
});

test('while the processor works for somebody else, nothing counts', () => {
  // Of the 9 ms from begin to end the thread had 2.
  const trace = [
    keydown,
    event('FunctionCall', 6000, 2000),
    event('FunctionCall', 20_000, 2000, { tts: 8000 }),
  ];
  expect(costOf(trace).inAll).toBe(8);
});

test('the longest task is told, whatever it did', () => {
  const trace = [keydown, event('RunTask', 5000, 20_000), event('RunTask', 30_000, 7000)];
  expect(costOf(trace).longestTask).toBe(20);
});

test('a mouse counts from its click on', () => {
  const click = event('EventDispatch', 3000, 1000, { args: { data: { type: 'click' } } });
  const pressed = event('EventDispatch', 1000, 1000, { args: { data: { type: 'pointerdown' } } });
  expect(costOf([pressed, click]).inAll).toBe(1);
});

test('a trace in which nothing was pressed is refused', () => {
  expect(() => costOf([event('FunctionCall', 0, 1)])).toThrow('Nothing was pressed');
});
