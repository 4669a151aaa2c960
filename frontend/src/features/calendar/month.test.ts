import { afterEach, describe, expect, test, vi } from 'vitest';

import { addDays, toDate } from './day';
import { addMonths, listDays, getFirstDay, isMonth, getMonth, listWeeks } from './month';

test.each(['1999-12', '2026-01', '2026-10'])('%s is a month', (text) => {
  expect(isMonth(text)).toBe(true);
});

test.each(['', '2026', '2026-00', '2026-13', '2026-1', '0026-01', '2026-01-01', 'July'])(
  '%j is not a month',
  (text) => {
    expect(isMonth(text)).toBe(false);
  },
);

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a day has a month, and a month a first day', () => {
  expect(getMonth('2026-07-14')).toBe('2026-07');
  expect(getFirstDay('2026-07')).toBe('2026-07-01');
});

test.each([
  ['2026-07', 1, '2026-08'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-07', -19, '2024-12'],
  ['2026-07', 0, '2026-07'],
])('%s plus %i months is %s', (month, count, expected) => {
  expect(addMonths(month, count)).toBe(expected);
});

test.each([
  ['2026-01', 31],
  ['2026-02', 28],
  ['2024-02', 29],
  ['2026-04', 30],
])('%s has %i days', (month, count) => {
  const days = listDays(month);
  expect(days).toHaveLength(count);
  expect(days[0]).toBe(`${month}-01`);
  expect(days.at(-1)).toBe(`${month}-${count}`);
});

describe('the weeks of a month', () => {
  const months = Array.from({ length: 24 }, (_, index) => addMonths('2026-01', index));

  test.each(months.flatMap((month) => [[month, 0] as const, [month, 1] as const]))(
    'of %s from weekday %i are whole and include each day once',
    (month, firstWeekday) => {
      const weeks = listWeeks(month, firstWeekday);
      const days = weeks.flat();
      for (const week of weeks) {
        expect(week).toHaveLength(7);
        expect(toDate(week[0] ?? '').getUTCDay()).toBe(firstWeekday);
        expect(week.some((day) => getMonth(day) === month)).toBe(true);
      }
      expect(days.filter((day) => getMonth(day) === month)).toEqual(listDays(month));
      days.slice(1).forEach((day, index) => expect(day).toBe(addDays(days[index] ?? '', 1)));
    },
  );

  // Zones with daylight saving time.
  test.each(['America/New_York', 'Europe/Prague', 'Australia/Lord_Howe', 'America/Santiago'])(
    'are the same in %s',
    (zone) => {
      const weeks = () => months.map((month) => [listWeeks(month, 0), listWeeks(month, 1), listDays(month)]);
      vi.stubEnv('TZ', 'UTC');
      const expected = weeks();
      vi.stubEnv('TZ', zone);
      expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(new Date(2026, 6, 1).getTimezoneOffset());
      expect(weeks()).toEqual(expected);
    },
  );
});
