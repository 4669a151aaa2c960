import { describe, expect, test } from 'vitest';

import type { SailingEvent } from './event';
import { byDay, countIn, inOrder, ofType, placesLeft, shownOf, upcomingFrom } from './schedule';

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

test('events stand in the order in which they begin, then in which they end; equal ones keep theirs', () => {
  const events = [
    event('next year', { date: '2027-01-01', startTime: '00:30' }),
    event('late', { startTime: '19:00', endTime: '23:00' }),
    event('long', { endTime: '18:00' }),
    event('short'),
    event('short too'),
    event('the day before', { date: '2026-07-13', startTime: '23:00' }),
  ];
  expect(ids(inOrder(events))).toEqual(['the day before', 'short', 'short too', 'long', 'late', 'next year']);
  expect(ids(events)[0]).toBe('next year');
});

test('a type leaves its events in, no type all of them', () => {
  const events = [event('one'), event('two', { type: 'trip' }), event('three')];
  expect(ids(ofType(events, 'race'))).toEqual(['one', 'three']);
  expect(ids(ofType(events, 'training'))).toEqual([]);
  expect(ids(ofType(events, ''))).toEqual(['one', 'two', 'three']);
});

test('each day has its events in their order, and a day without any is not there', () => {
  const days = byDay([event('one'), event('two', { date: '2026-07-15' }), event('three')]);
  expect([...days.keys()]).toEqual(['2026-07-14', '2026-07-15']);
  expect(ids(days.get('2026-07-14') ?? [])).toEqual(['one', 'three']);
});

test("a month counts its own days' events, to the last and from the first", () => {
  const dates = ['2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01', '2025-07-14'];
  const events = dates.map((date) => event(date, { date }));
  expect(countIn('2026-07', events)).toBe(2);
  expect(countIn('2026-09', events)).toBe(0);
});

describe('what is upcoming', () => {
  const events = [
    '2026-07-13',
    '2026-07-14',
    '2026-07-15',
    '2026-08-01',
    '2026-08-02',
    '2027-01-01',
    '2027-01-02',
  ].map((date) => event(date, { date }));

  test('is the first 5 from today on', () => {
    expect(ids(upcomingFrom('2026-07-14', events))).toEqual([
      '2026-07-14',
      '2026-07-15',
      '2026-08-01',
      '2026-08-02',
      '2027-01-01',
    ]);
  });

  test('is fewer when there are fewer', () => {
    expect(ids(upcomingFrom('2027-01-02', events))).toEqual(['2027-01-02']);
    expect(upcomingFrom('2027-01-03', events)).toEqual([]);
  });
});

test.each([
  [0, 0, 0],
  [1, 1, 0],
  [3, 3, 0],
  [4, 3, 1],
  [5, 3, 2],
  [66, 3, 63],
])('of %i events a day shows %i, and says that there are %i more', (count, shown, more) => {
  const events = Array.from({ length: count }, (_, index) => event(String(index)));
  expect(shownOf(events)).toEqual({ shown: events.slice(0, shown), more });
});

test.each([
  [{ participants: 4, maxParticipants: 10 }, 6],
  [{ participants: 10, maxParticipants: 10 }, 0],
  [{ participants: 11, maxParticipants: 10 }, 0],
  [{ participants: 11 }, undefined],
])('of %o so many places are left: %s', (places, left) => {
  expect(placesLeft(event('one', places))).toBe(left);
});
