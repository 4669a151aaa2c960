import { expect, test, vi } from 'vitest';

import { addDays, addMonths, getMonth, isDay, isMonth, listDays, listWeeks, toDate, toDay } from './calendar';

test.each([
  [new Date(2026, 6, 14, 0, 0), '2026-07-14'],
  [new Date(2027, 0, 1, 23, 59), '2027-01-01'],
])('the day of %s is %s in local time', (moment, day) => {
  expect(toDay(moment)).toBe(day);
});

test.each([
  [isDay, '2024-02-29', true],
  [isDay, '2026-02-29', false],
  [isDay, '2026-13-01', false],
  [isDay, '2026-7-4', false],
  [isDay, '', false],
  [isMonth, '2026-10', true],
  [isMonth, '2026-13', false],
  [isMonth, '0026-01', false],
  [isMonth, '2026-01-01', false],
])('%o of %j is %s', (check, text, expected) => {
  expect(check(text)).toBe(expected);
});

test.each([
  [addDays, '2026-07-31', 1, '2026-08-01'],
  [addDays, '2024-02-28', 1, '2024-02-29'],
  [addDays, '2026-01-01', -1, '2025-12-31'],
  [addMonths, '2026-12', 1, '2027-01'],
  [addMonths, '2026-07', -19, '2024-12'],
])('%o to %s, %i of them, gives %s', (add, start, count, expected) => {
  expect(add(start, count)).toBe(expected);
});

// Zones with daylight saving time.
test.each(['UTC', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'])(
  'the weeks of a month are whole and include each day once, in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    const months = Array.from({ length: 24 }, (_, index) => addMonths('2027-01', index));
    for (const month of months) {
      for (const firstWeekday of [0, 1] as const) {
        const weeks = listWeeks(month, firstWeekday);
        expect(weeks.map(([first = '', ...others]) => [toDate(first).getUTCDay(), others.length])).toEqual(
          weeks.map(() => [firstWeekday, 6]),
        );
        expect(weeks.flat().filter((day) => getMonth(day) === month)).toEqual(listDays(month));
      }
    }
    vi.unstubAllEnvs();
  },
);
