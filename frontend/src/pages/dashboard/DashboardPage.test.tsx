import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { addDays, toDay } from '../../features/calendar';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import type { SailingEvent } from '../../features/events/event';
import { createSampleResult } from '../../lib/query';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { renderInSite } from '../../test/render';
import { signedIn } from '../../test/session';
import DashboardPage from './DashboardPage';

vi.mock('../../features/events/data/useEventsQuery', { spy: true });
vi.mock('../../shell/useOpensAtLaunch', { spy: true });

const opensAtLaunch = vi.fn();

beforeEach(() => {
  opensAtLaunch.mockClear();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
});

const show = (language: 'en' | 'cs' = 'en') =>
  renderInSite(<DashboardPage />, { language, session: signedIn() });
const post = () => within(screen.getByRole('article', { name: 'Marco Bianchi' }));

test.each([
  [
    'en',
    ['12 trips', '847 miles', '5 races', '#CrewWanted168 posts'],
    ['Like: 24 likes', 'Comment: 8 comments', 'Share: 3 shares'],
  ],
  [
    'cs',
    ['12 plaveb', '847 mil', '5 závodů', '#HledámPosádku168 příspěvků'],
    ['Dát lajk: 24 lajků', 'Komentovat: 8 komentářů', 'Sdílet: 3 sdílení'],
  ],
] as const)(
  'shows the figures of the member, trending tags and reactions (%s)',
  (language, rows, reactions) => {
    show(language);
    expect(screen.getByText('Anna Nováková')).toBeVisible();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([...rows]),
    );
    expect(
      post()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(reactions);
  },
);

test('the side menu links to the six pages of the spec', () => {
  show();
  const links = within(screen.getByRole('navigation', { name: 'Community' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Academy', '/academy'],
    ['Races', '/races'],
    ['Network', '/network'],
    ['Marketplace', '/marketplace'],
    ['Saved', '/saved'],
    ['Settings', '/settings'],
  ]);
});

test('the feed shows the author, role, time and content of each post', () => {
  show();
  expect(screen.getAllByRole('article')).toHaveLength(3);
  for (const text of ['Charter skipper', '2 hours ago', /^The bura dropped at dawn/]) {
    expect(post().getByText(text)).toBeVisible();
  }
  expect(post().getByRole('button', { name: 'Like: 24 likes' })).toHaveAccessibleDescription('Marco Bianchi');
});

test('every button, and typing a post, announces the launch', async () => {
  const { user } = show();
  const buttons = screen.getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      'Video',
      'Location',
      'Event',
      'Log a trip',
      'Find crew',
      'Offer a boat',
      'Enter a race',
    ]),
  );
  for (const button of buttons) await user.click(button);
  expect(opensAtLaunch).toHaveBeenCalledTimes(buttons.length);
  const composer = screen.getByPlaceholderText('Share your sailing adventures...');
  composer.focus();
  await user.keyboard('Ahoy');
  expect(opensAtLaunch).toHaveBeenCalledTimes(buttons.length + 4);
  expect(composer).toHaveValue('');
});

test('the next three events show with their prices, and link to the calendar', () => {
  const today = toDay(new Date());
  const event = (id: string, days: number, price?: number): SailingEvent => ({
    id,
    title: id,
    type: 'race',
    date: addDays(today, days),
    startTime: '10:00',
    endTime: '12:00',
    location: 'Split, Croatia',
    description: '',
    organizer: 'Split Harbor Sailing Club',
    participants: 4,
    ...(price !== undefined && { price }),
    difficulty: 'all',
    isRegistered: false,
    status: 'upcoming',
  });
  vi.mocked(useEventsQuery).mockReturnValue(
    createSampleResult([
      event('Yesterday’s Race', -1, 25),
      event('Race of Today', 0, 49),
      event('Free Race', 1),
      event('Long Race', 2, 125),
      event('Late Race', 3, 65),
    ]),
  );
  show();
  const upcoming = within(screen.getByRole('region', { name: 'Upcoming events' }));
  expect(upcoming.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    expect.stringMatching(/Race of Today.*\$49$/),
    expect.stringMatching(/Free Race.*Free$/),
    expect.stringMatching(/Long Race.*\$125$/),
  ]);
  expect(upcoming.getByRole('link')).toHaveAttribute('href', '/events');
});
