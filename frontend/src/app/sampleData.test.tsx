import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { addDays, addMonths, getFirstDay, getMonth } from '../features/calendar';
import { EVENT_TYPES, type SailingEvent } from '../features/events/event';
import type { SampleName } from '../i18n/catalogues';
import AcademyPage from '../pages/academy/AcademyPage';
import DashboardPage from '../pages/dashboard/DashboardPage';
import EventsPage from '../pages/events/EventsPage';
import MarketplacePage from '../pages/marketplace/MarketplacePage';
import NotificationsPage from '../pages/notifications/NotificationsPage';
import { renderInSite } from '../test/render';
import { getSample } from '../test/catalogues';
import { signedIn } from '../test/session';

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

test.each<SampleName>([
  'sample-academy',
  'sample-boats',
  'sample-dashboard',
  'sample-events',
  'sample-notifications',
])('%s is the same in both languages, and no English text is left in Czech', (name) => {
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

test.each(MONTHS)('the sample events of %s are of every type, also after its last day', (month) => {
  const sample = getSample('sample-events') as readonly (SailingEvent & { day: number })[];
  const events = sample.map((event) => ({ ...event, date: addDays(getFirstDay(month), event.day) }));
  const lastDay = addDays(getFirstDay(addMonths(month, 1)), -1);
  expect(events.filter(({ date }) => date >= lastDay).length).toBeGreaterThanOrEqual(5);
  for (const type of EVENT_TYPES) {
    const dates = events.filter((event) => event.type === type).map(({ date }) => date);
    expect(dates.some((date) => getMonth(date) === month)).toBe(true);
    expect(dates.some((date) => date >= lastDay)).toBe(true);
  }
});

test.each([
  ['dashboard', DashboardPage],
  ['notifications', NotificationsPage],
  ['marketplace', MarketplacePage],
  ['academy', AcademyPage],
  ['events', EventsPage],
] as const)('the screen %s says in both languages that it shows sample data', (_, Page) => {
  for (const language of ['en', 'cs'] as const) {
    const { unmount } = renderInSite(<Page />, { language, session: signedIn() });
    expect(screen.getByText(/^(Preview with sample data|Ukázka s příklady)$/)).toBeVisible();
    unmount();
  }
});
