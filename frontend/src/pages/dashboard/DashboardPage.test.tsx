import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { addDays, toDay } from '../../features/calendar';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import type { SailingEvent } from '../../features/events/event';
import { createSampleResult } from '../../lib/query';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { renderInSite } from '../../test/render';
import { EVENT } from '../../test/event';
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

const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

test.each([
  ['en', ['12 trips', '847 miles', '5 races', '#CrewWanted168 posts'], 'Like: 24 likes', '2 hours ago'],
  [
    'cs',
    ['12 plaveb', '847 mil', '5 závodů', '#HledámPosádku168 příspěvků'],
    'Dát lajk: 24 lajků',
    /^před 2/,
  ],
] as const)('shows the figures of the member, trending tags and posts (%s)', (...row) => {
  const [language, rows, like, time] = row;
  show(language);
  expect(screen.getByText('Anna Nováková')).toBeVisible();
  expect(texts(screen.getAllByRole('listitem'))).toEqual(expect.arrayContaining([...rows]));
  expect(screen.getAllByRole('article')).toHaveLength(3);
  const post = within(screen.getByRole('article', { name: 'Marco Bianchi' }));
  expect(post.getByText(time)).toBeVisible();
  expect(post.getByRole('button', { name: like })).toHaveAccessibleDescription('Marco Bianchi');
});

test('the side menu links to the six pages of the spec', () => {
  show();
  const links = within(screen.getByRole('navigation', { name: 'Community' })).getAllByRole('link');
  const pages = ['/academy', '/races', '/network', '/marketplace', '/saved', '/settings'];
  expect(links.map((link) => link.getAttribute('href'))).toEqual(pages);
});

test('every button, and typing a post, announces the launch', async () => {
  const { user } = show();
  const buttons = screen.getAllByRole('button');
  const names = ['Video', 'Location', 'Event', 'Log a trip', 'Find crew', 'Offer a boat', 'Enter a race'];
  expect(texts(buttons)).toEqual(expect.arrayContaining(names));
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
    ...EVENT,
    id,
    title: id,
    date: addDays(today, days),
    ...(price !== undefined && { price }),
  });
  const races = [event('Yesterday’s Race', -1, 25), event('Race of Today', 0, 49), event('Free Race', 1)];
  vi.mocked(useEventsQuery).mockReturnValue(
    createSampleResult([...races, event('Long Race', 2, 125), event('Late Race', 3, 65)]),
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
