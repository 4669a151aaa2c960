import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { addDays, dayOf } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { useEvents } from '../../events/useEvents';
import { renderInSite } from '../../test/render';
import { ANNA } from '../../test/session';
import { Composer } from './Composer';
import { Feed } from './Feed';
import { MemberCard } from './MemberCard';
import { QuickActions } from './QuickActions';
import { SideMenu } from './SideMenu';
import { TrendingTags } from './TrendingTags';
import { UpcomingEvents } from './UpcomingEvents';

vi.mock('../../events/useEvents');

const OPENS = 'This opens when the community launches in 2025.';

describe('the member', () => {
  test.each([
    ['en', ['12 trips', '847 miles', '5 races']],
    ['cs', ['12 plaveb', '847 mil', '5 závodů']],
  ] as const)('is named, with the figures of the spec (%s)', (language, figures) => {
    renderInSite(<MemberCard member={ANNA} />, { language });
    expect(screen.getByText('Anna Nováková')).toBeVisible();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(figures);
  });

  test('is named by the email where there is no name', () => {
    renderInSite(<MemberCard member={{ ...ANNA, firstName: '', lastName: '' }} />);
    expect(screen.getByText('anna@example.org')).toBeVisible();
  });
});

test('the side menu leads to the six places of the spec', async () => {
  const { user, path } = renderInSite(<SideMenu />, { history: ['/dashboard'] });
  const links = within(screen.getByRole('navigation', { name: 'Community' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Academy', '/academy'],
    ['Races', '/races'],
    ['Network', '/network'],
    ['Marketplace', '/marketplace'],
    ['Saved', '/saved'],
    ['Settings', '/settings'],
  ]);
  await user.click(screen.getByRole('link', { name: 'Races' }));
  expect(path()).toBe('/races');
});

describe('the composer', () => {
  const field = () => screen.getByPlaceholderText('Share your sailing adventures...');

  test('says at a press when it opens, and takes no words', async () => {
    const { user } = renderInSite(<Composer member={ANNA} />);
    await user.click(field());
    expect(await screen.findByText(OPENS)).toBeVisible();
    expect(field()).toHaveAttribute('readonly');
    expect(field()).toHaveAccessibleName('New post');
  });

  test.each(['a', ' ', 'Enter'])('says it to who writes, too: %j', async (key) => {
    renderInSite(<Composer member={ANNA} />);
    fireEvent.keyDown(field(), { key });
    expect(await screen.findByText(OPENS)).toBeVisible();
  });

  test.each([{ key: 'Tab' }, { key: 'Escape' }, { key: 'c', ctrlKey: true }, { key: 'a', metaKey: true }])(
    'is silent where nobody writes: %j',
    async (press) => {
      renderInSite(<Composer member={ANNA} />);
      fireEvent.keyDown(field(), press);
      // By now a toast would show.
      await act(() => import('../../toast/Toast'));
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      expect(screen.queryByText(OPENS)).not.toBeInTheDocument();
    },
  );

  test.each(['Video', 'Location', 'Event'])('has the button %s, which says the same', async (name) => {
    const { user } = renderInSite(<Composer member={ANNA} />);
    await user.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(OPENS)).toBeVisible();
  });
});

describe('the feed', () => {
  const first = () => {
    const [post] = screen.getAllByRole('article');
    if (!post) throw new Error('There is no post');
    return within(post);
  };

  test('has three posts, each with author, role, time, content and counts', () => {
    renderInSite(<Feed />);
    expect(screen.getAllByRole('article')).toHaveLength(3);
    expect(first().getByRole('heading', { name: 'Marco Bianchi' })).toBeVisible();
    for (const words of ['Charter skipper', '2 hours ago', /^The bura dropped at dawn/]) {
      expect(first().getByText(words)).toBeVisible();
    }
    expect(
      first()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Like: 24 likes', 'Comment: 8 comments', 'Share: 3 shares']);
  });

  test('counts the Czech way', () => {
    renderInSite(<Feed />, { language: 'cs' });
    expect(
      first()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Dát lajk: 24 lajků', 'Komentovat: 8 komentářů', 'Sdílet: 3 sdílení']);
  });

  test.each(['Like: 24 likes', 'Comment: 8 comments', 'Share: 3 shares'])(
    '%j says when it opens',
    async (name) => {
      const { user } = renderInSite(<Feed />);
      await user.click(first().getByRole('button', { name }));
      expect(await screen.findByText(OPENS)).toBeVisible();
    },
  );

  test("a post's buttons are told apart by its author", () => {
    renderInSite(<Feed />);
    expect(first().getByRole('button', { name: 'Like: 24 likes' })).toHaveAccessibleDescription(
      'Marco Bianchi',
    );
  });
});

test.each(['Log a trip', 'Find crew', 'Offer a boat', 'Enter a race'])(
  'the quick action %j says when it opens',
  async (name) => {
    const { user } = renderInSite(<QuickActions />);
    await user.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(OPENS)).toBeVisible();
  },
);

test.each([
  ['en', '#CrewWanted168 posts'],
  ['cs', '#CrewWanted168 příspěvků'],
] as const)('trending tags say how often they are used (%s)', (language, words) => {
  renderInSite(<TrendingTags />, { language });
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(words);
});

describe('upcoming events', () => {
  const today = dayOf(new Date());
  const event = (id: string, date: string, price?: number): SailingEvent => ({
    id,
    title: id,
    type: 'race',
    date,
    startTime: '10:00',
    endTime: '12:00',
    location: 'Split, Croatia',
    description: '',
    organizer: 'Split Harbour Sailing Club',
    participants: 4,
    ...(price !== undefined && { price }),
    difficulty: 'all',
    isRegistered: false,
    status: 'upcoming',
  });

  beforeEach(() => {
    vi.mocked(useEvents).mockReturnValue([
      event('Yesterday’s Race', addDays(today, -1), 25),
      event('Race of Today', today, 49),
      event('Free Race', addDays(today, 1)),
      event('Long Race', addDays(today, 2), 125),
      event('Late Race', addDays(today, 3), 65),
    ]);
  });

  test.each([
    ['en', ['$49', 'Free', '$125']],
    ['cs', ['49 US$', 'Zdarma', '125 US$']],
  ] as const)('are the next three of the calendar, with their prices (%s)', (language, prices) => {
    renderInSite(<UpcomingEvents />, { language });
    const rows = screen.getAllByRole('listitem');
    expect(rows.map((row) => within(row).getByRole('heading').textContent)).toEqual([
      'Race of Today',
      'Free Race',
      'Long Race',
    ]);
    prices.forEach((price, index) => expect(rows[index]).toHaveTextContent(price));
  });

  test('lead to the calendar', async () => {
    const { user, path } = renderInSite(<UpcomingEvents />);
    await user.click(screen.getByRole('link', { name: 'See the calendar' }));
    expect(path()).toBe('/events');
  });
});
