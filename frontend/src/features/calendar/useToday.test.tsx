import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useToday } from './useToday';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function advance(time: number) {
  act(() => {
    vi.advanceTimersByTime(time);
  });
}

test('the day is local and changes at midnight', () => {
  vi.setSystemTime(new Date(2026, 6, 31, 23, 59, 58));
  const { result } = renderHook(useToday);
  expect(result.current).toBe('2026-07-31');
  advance(1999);
  expect(result.current).toBe('2026-07-31');
  advance(1);
  expect(result.current).toBe('2026-08-01');
  advance(24 * 60 * 60 * 1000);
  expect(result.current).toBe('2026-08-02');
});

test('the day is updated when the page becomes visible after sleep', () => {
  vi.setSystemTime(new Date(2026, 6, 14, 20));
  const { result } = renderHook(useToday);
  vi.setSystemTime(new Date(2026, 6, 15, 7));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe('2026-07-15');
});

test('the timer is cleared on unmount', () => {
  const { unmount } = renderHook(useToday);
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
