import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { waitForFillTime } from './fillTime';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('returns the time since the form was shown in whole milliseconds', async () => {
  const shownAt = performance.now() - 0.4;
  vi.advanceTimersByTime(5000);
  expect(await waitForFillTime(shownAt)).toBe(5000);
});

test('waits until a second has passed', async () => {
  const answered = vi.fn<(time: number) => void>();
  const shownAt = performance.now();
  vi.advanceTimersByTime(400);
  const time = waitForFillTime(shownAt).then(answered);
  await vi.advanceTimersByTimeAsync(599);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await time;
  expect(answered).toHaveBeenCalledExactlyOnceWith(1000);
});

test('returns at least a second when a timer fires early', async () => {
  const shownAt = performance.now();
  vi.advanceTimersByTime(100);
  vi.spyOn(performance, 'now').mockReturnValue(shownAt + 999);
  const time = waitForFillTime(shownAt);
  await vi.runAllTimersAsync();
  expect(await time).toBe(1000);
});

test('caps the time of a page left open for a month at the largest GraphQL Int', async () => {
  const month = 31 * 24 * 60 * 60 * 1000;
  expect(await waitForFillTime(performance.now() - month)).toBe(2 ** 31 - 1);
});
