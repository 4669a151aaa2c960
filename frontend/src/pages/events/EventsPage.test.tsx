import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { Language } from '../../i18n/languages';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { watchButtons } from '../../test/analytics';
import { EVENT } from '../../test/event';
import { fitMedia } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import { signedIn, signedOut } from '../../test/session';
import { EventDialog } from './EventDialog';
import EventsPage from './EventsPage';

vi.mock('../../shell/useOpensAtLaunch', { spy: true });

const visit = (query = '', language: Language = 'en', session = signedIn()) =>
  renderInSite(<EventsPage />, { history: [`/events${query}`], language, session });

const button = (name: string | RegExp) => screen.getByRole('button', { name });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 6, 15, 12) });
});

describe('on a wide screen', () => {
  beforeEach(() => fitMedia('(width >= 768px)'));

  test.each([
    ['en', 'Events calendar, July 2026', 'SunSunday', '28Sunday, June 28', /^Aug 1Saturday, August 1/],
    ['cs', 'Kalendář akcí, červenec 2026', 'popondělí', '29pondělí 29. června', /^1. 8.sobota 1. srpna/],
  ] as const)('the month is a table of whole weeks (%s)', (language, name, weekday, first, next) => {
    visit('', language);
    const table = within(screen.getByRole('table', { name }));
    expect(table.getAllByRole('columnheader')[0]).toHaveTextContent(weekday);
    expect(table.getAllByRole('cell')[0]).toHaveTextContent(first);
    expect(table.getAllByRole('cell')).toHaveLength(35);
    const outside = table.getAllByRole('cell').filter(({ dataset }) => dataset.outside === 'true');
    expect(outside.find(({ textContent }) => next.test(textContent))).toBeVisible();
  });

  test('a day shows its first 3 events and the number of the rest', () => {
    visit();
    const day = within(screen.getByRole('cell', { name: /Tuesday, July 14/ }));
    const names = day.getAllByRole('button').map((event) => event.ariaLabel ?? event.textContent);
    expect(names).toEqual([
      expect.stringMatching(/^Breakfast, 8:00.AM, Gathering$/),
      expect.stringMatching(/^Sprints, 10:00.AM, Race$/),
      expect.stringMatching(/^MOB Drill, 11:00.AM, Training$/),
      '+2 more on Tuesday, July 14',
    ]);
  });

  test('a click on an event is tracked and opens its details, in Czech', async () => {
    const pressed = watchButtons();
    const { user } = visit('', 'cs');
    await user.click(button(/^Kolem ostrova, /));
    expect(pressed).toEqual(['event round-the-island']);
    for (const fact of [
      /Cena: 125.\$/,
      'středa 22. července 2026',
      '7:00–19:00',
      '118 jachtařů, zbývá 32 míst',
    ])
      expect(screen.getByRole('dialog', { name: 'Kolem ostrova' })).toHaveTextContent(fact);
  });

  test.each([
    ['?month=2026-09&type=race', 'září 2026: 1 akce'],
    ['?type=race', 'červenec 2026: 3 akce'],
    ['?month=2026-13&type=party', 'červenec 2026: 15 akcí'],
    ['?month=2030-01', 'leden 2030: Žádné akce'],
  ])('Czech uses Czech plurals: %s', (query, count) => {
    visit(query, 'cs');
    const month = within(screen.getByRole('region', { name: /20\d\d$/ }));
    expect(month.getByRole('status')).toHaveTextContent(count);
  });

  test('only members see their registrations', () => {
    const { unmount } = visit();
    expect(button(/^Round the Island, 7:00.AM, Race, registered$/)).toBeVisible();
    expect(screen.getByText('Registered')).toBeVisible();
    unmount();

    visit('', 'en', signedOut());
    expect(button(/^Round the Island, 7:00.AM, Race$/)).toBeVisible();
    expect(screen.queryByText('Registered')).not.toBeInTheDocument();
  });
});

test('on a phone another month starts at its first day', () => {
  visit('?month=2026-08');
  expect(button('Saturday, August 1: 1 event')).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getAllByRole('heading', { level: 3 })[0]).toHaveTextContent('Saturday, August 1');
});

test.each([
  ['You have joined', '8 sailors, 2 places left', { isRegistered: true, maxParticipants: 10 }],
  ['This event is over', '8 sailors', { date: '2026-07-14', isRegistered: true }],
  ['Fully booked', '10 sailors, fully booked', { participants: 10, maxParticipants: 10 }],
])('%j stands in place of Join', (words, participants, change) => {
  renderInSite(<EventDialog event={{ ...EVENT, ...change }} today="2026-07-15" onClose={vi.fn()} />);
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByText(participants)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Join' })).not.toBeInTheDocument();
});

test('a free event without a limit says so, and Join announces the launch', async () => {
  const opensAtLaunch = vi.fn();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
  const { user } = renderInSite(<EventDialog event={EVENT} today="2026-07-15" onClose={vi.fn()} />);
  expect(screen.getByRole('dialog', { name: 'Night Sail' })).toHaveTextContent('Price: Free');
  await user.click(button('Join'));
  expect(opensAtLaunch).toHaveBeenCalledOnce();
});
