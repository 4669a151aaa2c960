import { describe, expect, test } from 'vitest';

import { addDays, toDay, isDay, toDate } from './day';

test.each([
  [new Date(2026, 6, 14, 0, 0), '2026-07-14'],
  [new Date(2026, 6, 14, 23, 59, 59), '2026-07-14'],
  [new Date(2027, 0, 1), '2027-01-01'],
])('the day of %s is %s in local time', (moment, day) => {
  expect(toDay(moment)).toBe(day);
});

test.each(['2026-07-14', '2024-02-29', '2026-12-31'])('%s is a day', (text) => {
  expect(isDay(text)).toBe(true);
});

test.each([
  '',
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-7-4',
  ' 2026-07-14',
  '2026-07-14T00',
])('%j is not a day', (text) => {
  expect(isDay(text)).toBe(false);
});

test('a day converts to midnight UTC', () => {
  expect(toDate('2026-07-14').toISOString()).toBe('2026-07-14T00:00:00.000Z');
});

describe('adding days', () => {
  test.each([
    ['2026-07-31', 1, '2026-08-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-07-14', 0, '2026-07-14'],
    ['2026-01-15', 365, '2027-01-15'],
  ])('%s plus %i days is %s', (day, count, expected) => {
    expect(addDays(day, count)).toBe(expected);
  });
});
