import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { addDays, addMonths, getFirstDay, getMonth, isDay } from '../features/calendar';
import { EVENT_TYPES, groupByDay, type SailingEvent } from '../features/events/event';
import type { SampleName } from '../i18n/catalogues';
import AcademyPage from '../pages/academy/AcademyPage';
import DashboardPage from '../pages/dashboard/DashboardPage';
import EventsPage from '../pages/events/EventsPage';
import { BOAT_TYPES, OWNER_TYPES, type Boat } from '../pages/marketplace/boat';
import { CAPACITIES, DEFAULT_MAX_PRICE, findBoats, LENGTHS, NO_SEARCH } from '../pages/marketplace/filters';
import MarketplacePage from '../pages/marketplace/MarketplacePage';
import NotificationsPage from '../pages/notifications/NotificationsPage';
import { renderInSite } from '../test/render';
import { getSample } from '../test/sample';
import { signedIn } from '../test/session';

const SAMPLES: SampleName[] = [
  'sample-academy',
  'sample-boats',
  'sample-dashboard',
  'sample-events',
  'sample-notifications',
];

/** Fields that are the same in both languages: names of people, clubs and boats, and values for the program. */
const NEUTRAL = new RegExp(
  [
    /(\.author|\.instructor|\.organizer|\.ownerName|boats\.\d+\.name)$/,
    /(^|\.)(id|locationId|avif|webp|courses\.\d+)$/,
    /(^|\.)(category|difficulty|level|ownerType|status|type|endTime|startTime)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Words that Czech sailors use too. */
const SAME_IN_BOTH = ['AIS', 'Autopilot', 'Flybridge', 'Radar', 'Wi-Fi'];

/** Return every value of a sample by its path, such as `boats.0.description`. */
function listValues(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, part]) => listValues(part, `${path}.${key}`));
}

test.each(SAMPLES)('%s is the same in both languages, and no English text is left in Czech', (name) => {
  const english = new Map(listValues(getSample(name, 'en'), name));
  const czech = listValues(getSample(name, 'cs'), name);
  expect(czech.map(([path]) => path)).toEqual([...english.keys()]);
  const isText = (path: string, value: unknown) => typeof value === 'string' && !NEUTRAL.test(path);
  const translated = czech.filter(
    ([path, value]) => isText(path, value) && !SAME_IN_BOTH.includes(String(value)),
  );
  expect(translated.filter(([path, value]) => english.get(path) === value)).toEqual([]);
  const others = czech.filter(([path, value]) => !isText(path, value));
  expect(others.filter(([path, value]) => english.get(path) !== value)).toEqual([]);
});

/** Two years with a leap year, so that every length of month is covered. */
const MONTHS = Array.from({ length: 24 }, (_, index) => addMonths('2027-01', index));

describe.each(MONTHS)('the sample events of %s', (month) => {
  const sample = getSample('sample-events') as readonly (SailingEvent & { day: number })[];
  const events = sample.map((event) => ({ ...event, date: addDays(getFirstDay(month), event.day) }));

  test('include every type, also after the last day of the month', () => {
    const lastDay = addDays(getFirstDay(addMonths(month, 1)), -1);
    expect(events.filter(({ date }) => date >= lastDay).length).toBeGreaterThanOrEqual(5);
    for (const type of EVENT_TYPES) {
      const dates = events.filter((event) => event.type === type).map(({ date }) => date);
      expect(dates.some((date) => getMonth(date) === month)).toBe(true);
      expect(dates.some((date) => date >= lastDay)).toBe(true);
    }
  });

  test('are valid and sorted by their start, and one day has more than the calendar shows', () => {
    expect(events.every(({ date, startTime, endTime }) => isDay(date) && startTime < endTime)).toBe(true);
    const starts = events.map(({ date, startTime }) => `${date} ${startTime}`);
    expect(starts).toEqual([...starts].sort());
    const counts = [...groupByDay(events).values()].map(({ length }) => length);
    expect(Math.max(...counts)).toBeGreaterThan(3);
  });
});

test('every filter matches some of the sample boats and not all', () => {
  const today = '2026-11-21';
  const first = getFirstDay(getMonth(today));
  const sample = getSample('sample-boats') as readonly (Omit<Boat, 'booked'> & {
    booked: readonly { from: number; to: number }[];
  })[];
  const boats = sample.map((boat) => ({
    ...boat,
    booked: boat.booked.map(({ from, to }) => ({ from: addDays(first, from), to: addDays(first, to) })),
  }));
  const found = (filters: object) => findBoats(boats, { ...NO_SEARCH, ...filters }).length;
  const narrowed = [
    ...BOAT_TYPES.map((type) => ({ type })),
    ...OWNER_TYPES.map((ownerType) => ({ ownerType })),
    ...LENGTHS.map((minLength) => ({ minLength })),
    ...CAPACITIES.slice(1).map((minCapacity) => ({ minCapacity })),
    { from: today, to: '2026-11-25' },
  ];
  expect(found({})).toBe(boats.length);
  for (const filters of narrowed) {
    expect(found(filters), JSON.stringify(filters)).toBeGreaterThan(0);
    expect(found(filters), JSON.stringify(filters)).toBeLessThan(boats.length);
  }
  expect(boats.every(({ capacity }) => capacity >= CAPACITIES[0])).toBe(true);
  expect(boats.every(({ pricePerDay }) => pricePerDay <= DEFAULT_MAX_PRICE)).toBe(true);
  expect(new Set(boats.map(({ available }) => available)).size).toBe(2);
});

test.each([
  ['dashboard', DashboardPage],
  ['notifications', NotificationsPage],
  ['marketplace', MarketplacePage],
  ['academy', AcademyPage],
  ['events', EventsPage],
] as const)('the screen %s says in both languages that it shows sample data', (_, Page) => {
  for (const [language, text] of [
    ['en', 'Preview with sample data'],
    ['cs', 'Ukázka s\u00a0příklady'],
  ] as const) {
    const { unmount } = renderInSite(<Page />, { language, session: signedIn() });
    expect(screen.getByText(text, { normalizer: String })).toBeVisible();
    unmount();
  }
});
