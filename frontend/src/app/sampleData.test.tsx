import { screen } from '@testing-library/react';
import { createIntl } from 'react-intl';
import { expect, test } from 'vitest';

import { createSampleEvents } from '../features/events/data/sampleEvents';
import type { MessageId } from '../i18n/catalogues';
import type { Language } from '../i18n/languages';
import { createSampleNotifications } from '../features/notifications/data/sampleNotifications';
import AcademyPage from '../pages/academy/AcademyPage';
import { createSampleAcademy } from '../pages/academy/data/sampleAcademy';
import DashboardPage from '../pages/dashboard/DashboardPage';
import { createSampleDashboard } from '../pages/dashboard/data/sampleDashboard';
import EventsPage from '../pages/events/EventsPage';
import { createSampleBoats } from '../pages/marketplace/data/sampleBoats';
import MarketplacePage from '../pages/marketplace/MarketplacePage';
import NotificationsPage from '../pages/notifications/NotificationsPage';
import { catalogues } from '../test/catalogues';
import { renderInSite } from '../test/render';
import { signedIn } from '../test/session';

type Translate = (id: MessageId) => string;

const NOW = new Date('2026-07-15T12:00:00Z');

const SAMPLES: Record<string, (translate: Translate) => unknown> = {
  academy: createSampleAcademy,
  boats: (translate) => createSampleBoats('2026-07-15', translate),
  dashboard: (translate) => createSampleDashboard(NOW, translate),
  events: (translate) => createSampleEvents('2026-07', translate),
  notifications: (translate) => createSampleNotifications(NOW, translate),
};

/** Fields that are the same in both languages: names of people, clubs and boats, and values for the program. */
const NEUTRAL = new RegExp(
  [
    /(^|\.)(author|instructor|organizer|ownerName|boats\.\d+\.name)$/,
    /(^|\.)(id|locationId|avif|webp|src|courses\.\d+)$/,
    /(^|\.)(category|difficulty|level|ownerType|status|type)$/,
    /(^|\.)(createdAt|date|endTime|from|startTime|to)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Words that Czech sailors use too. */
const SAME_IN_BOTH = ['AIS', 'Autopilot', 'Flybridge', 'Radar', 'Wi-Fi'];

const translator = (language: Language): Translate => {
  const { formatMessage } = createIntl({ locale: language, messages: catalogues[language] });
  return (id) => formatMessage({ id });
};

/** Return every text of a sample by its path, such as `boats.0.description`. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, `${path}.${key}`));
}

test.each(Object.entries(SAMPLES))('no English text is left in the Czech %s', (name, sample) => {
  const english = new Map(textsOf(sample(translator('en')), name));
  const czech = textsOf(sample(translator('cs')), name);
  expect(czech.length).toBe(english.size);
  const left = czech.filter(
    ([path, text]) => text === english.get(path) && !NEUTRAL.test(path) && !SAME_IN_BOTH.includes(text),
  );
  expect(left).toEqual([]);
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
