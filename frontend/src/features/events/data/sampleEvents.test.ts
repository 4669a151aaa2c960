import { describe, expect, test } from 'vitest';

import { addDays, isDay } from '../../calendar/day';
import { addMonths, getFirstDay } from '../../calendar/month';
import {
  countInMonth,
  EVENT_TYPES,
  filterByType,
  findUpcomingEvents,
  groupByDay,
  MAX_EVENTS_PER_DAY,
} from '../event';
import { createSampleEvents } from './sampleEvents';

/** Two years with a leap year, so that every length of month is covered. */
const MONTHS = Array.from({ length: 24 }, (_, index) => addMonths('2027-01', index));

describe.each(MONTHS)('the sample events of %s', (month) => {
  const events = createSampleEvents(month, String);

  test('include every type, also after the last day of the month', () => {
    const lastDay = addDays(getFirstDay(addMonths(month, 1)), -1);
    expect(findUpcomingEvents(events, lastDay)).toHaveLength(5);
    for (const type of EVENT_TYPES) {
      const ofType = filterByType(events, type);
      expect(countInMonth(ofType, month)).toBeGreaterThan(0);
      expect(findUpcomingEvents(ofType, lastDay).length).toBeGreaterThan(0);
    }
  });

  test('are valid and sorted by their start', () => {
    expect(events.every(({ date, startTime, endTime }) => isDay(date) && startTime < endTime)).toBe(true);
    const starts = events.map(({ date, startTime }) => `${date} ${startTime}`);
    expect(starts).toEqual([...starts].sort());
  });
});

describe('the sample', () => {
  const events = createSampleEvents('2026-07', String);

  test('has the shape of an API response', () => {
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('has a day with more events than the calendar shows', () => {
    const counts = [...groupByDay(events).values()].map(({ length }) => length);
    expect(Math.max(...counts)).toBeGreaterThan(MAX_EVENTS_PER_DAY);
  });
});
