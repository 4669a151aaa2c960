import { describe, expect, test } from 'vitest';

import {
  countInMonth,
  countPlacesLeft,
  filterByType,
  findUpcomingEvents,
  groupByDay,
  limitPerDay,
  type SailingEvent,
} from './event';

function event(id: string, overrides: Partial<SailingEvent> = {}): SailingEvent {
  return {
    id,
    title: id,
    type: 'race',
    date: '2026-07-14',
    startTime: '10:00',
    endTime: '12:00',
    location: 'Kiel, Germany',
    description: '',
    organizer: 'Crew',
    participants: 4,
    difficulty: 'all',
    isRegistered: false,
    status: 'upcoming',
    ...overrides,
  };
}

const ids = (events: readonly SailingEvent[]) => events.map(({ id }) => id);

test('events are filtered by type; an empty type returns all', () => {
  const events = [event('one'), event('two', { type: 'trip' }), event('three')];
  expect(ids(filterByType(events, 'race'))).toEqual(['one', 'three']);
  expect(ids(filterByType(events, 'training'))).toEqual([]);
  expect(ids(filterByType(events, ''))).toEqual(['one', 'two', 'three']);
});

test('events are grouped by day in order, without empty days', () => {
  const days = groupByDay([event('one'), event('two', { date: '2026-07-15' }), event('three')]);
  expect([...days.keys()]).toEqual(['2026-07-14', '2026-07-15']);
  expect(ids(days.get('2026-07-14') ?? [])).toEqual(['one', 'three']);
});

test('events are counted from the first to the last day of the month', () => {
  const dates = ['2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01', '2025-07-14'];
  const events = dates.map((date) => event(date, { date }));
  expect(countInMonth(events, '2026-07')).toBe(2);
  expect(countInMonth(events, '2026-09')).toBe(0);
});

describe('upcoming events', () => {
  const events = [
    '2026-07-13',
    '2026-07-14',
    '2026-07-15',
    '2026-08-01',
    '2026-08-02',
    '2027-01-01',
    '2027-01-02',
  ].map((date) => event(date, { date }));

  test('are the first five from today', () => {
    expect(ids(findUpcomingEvents(events, '2026-07-14'))).toEqual([
      '2026-07-14',
      '2026-07-15',
      '2026-08-01',
      '2026-08-02',
      '2027-01-01',
    ]);
  });

  test('are fewer when fewer are left', () => {
    expect(ids(findUpcomingEvents(events, '2027-01-02'))).toEqual(['2027-01-02']);
    expect(findUpcomingEvents(events, '2027-01-03')).toEqual([]);
  });
});

test.each([
  [0, 0, 0],
  [1, 1, 0],
  [3, 3, 0],
  [4, 3, 1],
  [5, 3, 2],
  [66, 3, 63],
])('of %i events on a day %i are shown and %i are not', (count, shown, more) => {
  const events = Array.from({ length: count }, (_, index) => event(String(index)));
  expect(limitPerDay(events)).toEqual({ shown: events.slice(0, shown), more });
});

test.each([
  [{ participants: 4, maxParticipants: 10 }, 6],
  [{ participants: 10, maxParticipants: 10 }, 0],
  [{ participants: 11, maxParticipants: 10 }, 0],
  [{ participants: 11 }, undefined],
])('with %o the number of free places is %s', (places, left) => {
  expect(countPlacesLeft(event('one', places))).toBe(left);
});
