import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useToday } from './useToday';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets so many milliseconds go by. */
function pass(time: number) {
  act(() => {
    vi.advanceTimersByTime(time);
  });
}

test("it is the day of the visitor's own clock, and from midnight on the next one", () => {
  vi.setSystemTime(new Date(2026, 6, 31, 23, 59, 58));
  const { result } = renderHook(useToday);
  expect(result.current).toBe('2026-07-31');
  pass(1999);
  expect(result.current).toBe('2026-07-31');
  pass(1);
  expect(result.current).toBe('2026-08-01');
  pass(24 * 60 * 60 * 1000);
  expect(result.current).toBe('2026-08-02');
});

test('a page that is looked at again after a night asleep knows the new day', () => {
  vi.setSystemTime(new Date(2026, 6, 14, 20));
  const { result } = renderHook(useToday);
  vi.setSystemTime(new Date(2026, 6, 15, 7));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe('2026-07-15');
});

test('nothing waits for midnight once the page is gone', () => {
  const { unmount } = renderHook(useToday);
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
