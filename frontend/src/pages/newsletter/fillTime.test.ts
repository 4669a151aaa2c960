import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fillTime } from './fillTime';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('is the time since the form was shown, in whole milliseconds', async () => {
  const shownAt = performance.now() - 0.4;
  vi.advanceTimersByTime(5000);
  expect(await fillTime(shownAt)).toBe(5000);
});

test('a form filled in sooner waits until a second has passed, as a person would need', async () => {
  const answered = vi.fn<(time: number) => void>();
  const shownAt = performance.now();
  vi.advanceTimersByTime(400);
  const time = fillTime(shownAt).then(answered);
  await vi.advanceTimersByTimeAsync(599);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await time;
  expect(answered).toHaveBeenCalledExactlyOnceWith(1000);
});

test('a timer that fires too early never makes it less than a second', async () => {
  const shownAt = performance.now();
  vi.advanceTimersByTime(100);
  vi.spyOn(performance, 'now').mockReturnValue(shownAt + 999);
  const time = fillTime(shownAt);
  await vi.runAllTimersAsync();
  expect(await time).toBe(1000);
});

test('a page that stood open for a month still sends a number that GraphQL takes', async () => {
  const month = 31 * 24 * 60 * 60 * 1000;
  expect(await fillTime(performance.now() - month)).toBe(2 ** 31 - 1);
});
