import { expect, test } from 'vitest';

import { addDays, isDay } from '../calendar/day';
import { addMonths, firstDayOf, monthOf } from '../calendar/month';
import { EVENT_TYPES } from './event';
import { sampleEvents } from './sampleEvents';
import { byDay, countIn, EVENTS_A_DAY, inOrder, ofType, upcomingFrom } from './schedule';

/** Of a year and a leap year, so that months of every length are among them. */
const MONTHS = Array.from({ length: 24 }, (_, index) => addMonths('2027-01', index));

test.each(MONTHS)('in %s and on its last day there is something of every type', (month) => {
  const events = inOrder(sampleEvents(month));
  const lastDay = addDays(firstDayOf(addMonths(month, 1)), -1);
  expect(monthOf(lastDay)).toBe(month);
  expect(upcomingFrom(lastDay, events)).toHaveLength(5);
  for (const type of EVENT_TYPES) {
    const some = ofType(events, type);
    expect(countIn(month, some)).toBeGreaterThan(0);
    expect(upcomingFrom(lastDay, some).length).toBeGreaterThan(0);
  }
});

test.each(MONTHS)('of %s every event is on a day that there is, and ends after it begins', (month) => {
  for (const { date, startTime, endTime } of sampleEvents(month)) {
    expect(isDay(date)).toBe(true);
    expect(startTime < endTime).toBe(true);
  }
});

test('one day has more events than the calendar shows', () => {
  const busiest = Math.max(...[...byDay(sampleEvents('2026-07')).values()].map(({ length }) => length));
  expect(busiest).toBeGreaterThan(EVENTS_A_DAY);
});

test('the prices are those of spec section 9, and each of them is there', () => {
  const prices = new Set(sampleEvents('2026-07').flatMap(({ price }) => price ?? []));
  expect([...prices].sort((one, other) => one - other)).toEqual([25, 40, 45, 49, 65, 95, 125, 150]);
});

test('every event has an id of its own', () => {
  const ids = sampleEvents('2026-07').map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
