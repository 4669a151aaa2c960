import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { addDays, toDay } from '../../features/calendar';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import type { SailingEvent } from '../../features/events/event';
import type { Language } from '../../i18n/languages';
import { createSampleResult, datePast, type Past } from '../../lib/query';
import { renderInSite } from '../../test/render';
import { getSample } from '../../test/sample';
import { ANNA } from '../../test/session';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import type { Dashboard, Post } from './dashboard';
import { Composer, Feed } from './Feed';
import { MemberCard, SideMenu } from './DashboardPage';
import { QuickActions, TrendingTags, UpcomingEvents } from './SideSections';

vi.mock('../../features/events/data/useEventsQuery', { spy: true });
vi.mock('../../shell/useOpensAtLaunch', { spy: true });

const opensAtLaunch = vi.fn();
function inLanguage(language: Language): Dashboard {
  const sample = getSample('sample-dashboard', language) as Omit<Dashboard, 'posts'> & {
    posts: Past<Post>[];
  };
  return { ...sample, posts: sample.posts.map((post) => datePast(post, Date.now())) };
}
const { stats, posts } = inLanguage('en');

beforeEach(() => {
  opensAtLaunch.mockClear();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
});

describe('the member card', () => {
  test.each([
    ['en', ['12 trips', '847 miles', '5 races']],
    ['cs', ['12 plaveb', '847 mil', '5 závodů']],
  ] as const)('shows the name and the figures (%s)', (language, figures) => {
    renderInSite(<MemberCard member={ANNA} stats={stats} />, { language });
    expect(screen.getByText('Anna Nováková')).toBeVisible();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(figures);
  });

  test('shows the email address of a member without a name, and no figures before they are loaded', () => {
    renderInSite(<MemberCard member={{ ...ANNA, firstName: '', lastName: '' }} stats={undefined} />);
    expect(screen.getByText('anna@example.org')).toBeVisible();
    expect(screen.queryByRole('list')).not.toBeInTheDocument();
  });
});

test('the side menu links to the six pages of the spec', () => {
  renderInSite(<SideMenu />);
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

describe('the composer', () => {
  const field = () => screen.getByLabelText('Share your sailing adventures...');

  test.each([
    [{ key: 'a' }, 1],
    [{ key: ' ' }, 1],
    [{ key: 'Enter' }, 1],
    [{ key: 'Tab' }, 0],
    [{ key: 'Escape' }, 0],
    [{ key: 'c', ctrlKey: true }, 0],
    [{ key: 'a', metaKey: true }, 0],
  ])('on the key %j announces the launch %i times', (key, times) => {
    renderInSite(<Composer member={ANNA} />);
    fireEvent.keyDown(field(), key);
    expect(opensAtLaunch).toHaveBeenCalledTimes(times);
  });
});

describe('the feed', () => {
  const firstPost = () => within(screen.getByRole('article', { name: 'Marco Bianchi' }));
  const buttons = () =>
    firstPost()
      .getAllByRole('button')
      .map(({ textContent }) => textContent);

  test('shows the author, role, time, content and counts of each post', () => {
    renderInSite(<Feed posts={posts} />);
    expect(screen.getAllByRole('article')).toHaveLength(3);
    expect(firstPost().getByRole('heading', { name: 'Marco Bianchi' })).toBeVisible();
    for (const text of ['Charter skipper', '2 hours ago', /^The bura dropped at dawn/]) {
      expect(firstPost().getByText(text)).toBeVisible();
    }
    expect(buttons()).toEqual(['Like: 24 likes', 'Comment: 8 comments', 'Share: 3 shares']);
    expect(firstPost().getByRole('button', { name: 'Like: 24 likes' })).toHaveAccessibleDescription(
      'Marco Bianchi',
    );
  });

  test('uses Czech plurals', () => {
    renderInSite(<Feed posts={posts} />, { language: 'cs' });
    expect(buttons()).toEqual(['Dát lajk: 24 lajků', 'Komentovat: 8 komentářů', 'Sdílet: 3 sdílení']);
  });
});

test.each([
  ['Composer', <Composer key="" member={ANNA} />, ['Video', 'Location', 'Event']],
  [
    'Feed',
    <Feed key="" posts={posts.slice(0, 1)} />,
    ['Like: 24 likes', 'Comment: 8 comments', 'Share: 3 shares'],
  ],
  ['QuickActions', <QuickActions key="" />, ['Log a trip', 'Find crew', 'Offer a boat', 'Enter a race']],
])('%s: every button announces the launch', async (_, component, names) => {
  const { user } = renderInSite(component);
  for (const name of names) await user.click(screen.getByRole('button', { name }));
  expect(opensAtLaunch).toHaveBeenCalledTimes(names.length);
});

test.each([
  ['en', '#CrewWanted168 posts'],
  ['cs', '#HledámPosádku168 příspěvků'],
] as const)('trending tags show their number of posts (%s)', (language, text) => {
  renderInSite(<TrendingTags tags={inLanguage(language).trendingTags} />, { language });
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(text);
});

describe('upcoming events', () => {
  const today = toDay(new Date());
  const event = (id: string, date: string, price?: number): SailingEvent => ({
    id,
    title: id,
    type: 'race',
    date,
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

  test.each([
    ['en', ['$49', 'Free', '$125']],
    ['cs', ['49 $', 'Zdarma', '125 $']],
  ] as const)('are the next three with their prices, and link to the calendar (%s)', (language, prices) => {
    vi.mocked(useEventsQuery).mockReturnValue(
      createSampleResult([
        event('Yesterday’s Race', addDays(today, -1), 25),
        event('Race of Today', today, 49),
        event('Free Race', addDays(today, 1)),
        event('Long Race', addDays(today, 2), 125),
        event('Late Race', addDays(today, 3), 65),
      ]),
    );
    renderInSite(<UpcomingEvents />, { language });
    const rows = screen.getAllByRole('listitem');
    expect(rows.map((row) => within(row).getByRole('heading').textContent)).toEqual([
      'Race of Today',
      'Free Race',
      'Long Race',
    ]);
    prices.forEach((price, index) => expect(rows[index]).toHaveTextContent(price));
    expect(screen.getByRole('link')).toHaveAttribute('href', '/events');
  });
});
