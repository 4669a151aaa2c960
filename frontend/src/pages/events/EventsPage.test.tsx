import { screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Language } from '../../i18n/languages';
import type { Session } from '../../session/sessionStore';
import { LazyMemberControls } from '../../shell/Account';
import { watchButtons } from '../../test/analytics';
import { fitMedia } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import { signedIn } from '../../test/session';
import EventsPage from './EventsPage';

function Address() {
  return <output aria-label="query">{useLocation().search}</output>;
}

interface Visit {
  query?: string;
  language?: Language;
  session?: Session;
}

function visit({ query = '', ...surroundings }: Visit = {}) {
  return renderInSite(
    <>
      <EventsPage />
      <Address />
    </>,
    { history: [`/events${query}`], ...surroundings },
  );
}

const table = () => screen.getByRole('table');
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const cell = (date: RegExp) => within(table()).getByRole('cell', { name: date });
const upcoming = () => within(screen.getByRole('complementary'));
const count = () => within(screen.getByRole('region', { name: /20\d\d$/ })).getByRole('status');
const dialog = (name: string) => screen.getByRole<HTMLDialogElement>('dialog', { name });

beforeAll(() => LazyMemberControls.preload('required'));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 6, 15, 12) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('on a wide screen', () => {
  beforeEach(() => fitMedia('(width >= 768px)'));

  test('the current month is a table with a row per week and a column per weekday', () => {
    visit();
    expect(table()).toHaveAccessibleName('Events calendar, July 2026');
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'SunSunday',
      'MonMonday',
      'TueTuesday',
      'WedWednesday',
      'ThuThursday',
      'FriFriday',
      'SatSaturday',
    ]);
    const [, ...weeks] = within(table()).getAllByRole('row');
    expect(weeks).toHaveLength(5);
    for (const week of weeks) expect(within(week).getAllByRole('cell')).toHaveLength(7);
  });

  test('the week starts on Monday in Czech', () => {
    visit({ language: 'cs' });
    expect(table()).toHaveAccessibleName('Kalendář akcí, červenec 2026');
    const [monday] = within(table()).getAllByRole('columnheader');
    expect(monday).toHaveTextContent('popondělí');
    expect(within(table()).getAllByRole('cell')[0]).toHaveTextContent('pondělí 29. června');
  });

  test('days of adjacent months are marked', () => {
    visit();
    expect(cell(/Sunday, June 28/)).toHaveAttribute('data-outside', 'true');
    expect(cell(/Saturday, August 1/)).toHaveTextContent('Aug 1');
    expect(cell(/July 31/)).toHaveAttribute('data-outside', 'false');
  });

  test('a day shows its first 3 events and the number of the rest', () => {
    visit();
    const day = within(cell(/Tuesday, July 14/));
    expect(day.getAllByRole('listitem')).toHaveLength(3);
    expect(
      day.getAllByRole('button').map((event) => event.getAttribute('aria-label') ?? event.textContent),
    ).toEqual([
      expect.stringMatching(/^Breakfast, 8:00.AM, Gathering$/),
      expect.stringMatching(/^Sprints, 10:00.AM, Race$/),
      expect.stringMatching(/^MOB Drill, 11:00.AM, Training$/),
      '+2 more on Tuesday, July 14',
    ]);
  });

  test('a click on an event is tracked and opens its details', async () => {
    const pressed = watchButtons();
    const { user } = visit();
    await user.click(button(/^Round the Island, /));
    expect(pressed).toEqual(['event round-the-island']);
    const details = dialog('Round the Island');
    for (const fact of [
      'Race',
      'Upcoming',
      'Price: $125',
      /^Fifty miles, one lap/,
      'Wednesday, July 22, 2026',
      /^7:00.AM.–.7:00.PM$/,
      'Cowes, United Kingdom',
      'Island Racing Association',
      '118 sailors, 32 places left',
      'Advanced',
    ]) {
      expect(within(details).getByText((_, element) => matches(element, fact))).toBeVisible();
    }
  });

  test('the details show past and free events, without places for a past one', async () => {
    const { user } = visit();
    await user.click(button(/^Lighthouse Passage, /));
    expect(dialog('Lighthouse Passage')).toHaveTextContent('Past');
    expect(dialog('Lighthouse Passage')).toHaveTextContent(/8 sailorsLevel/);
    await user.keyboard('{Escape}');
    await user.click(button(/^Crew Evening, /));
    expect(dialog('Crew Evening')).toHaveTextContent('Price: Free');
    expect(dialog('Crew Evening')).toHaveTextContent(/42 sailorsLevel/);
  });

  test.each([
    ['2199-12', 'December 2199', 'Next month'],
    ['1900-01', 'January 1900', 'Previous month'],
  ])('the calendar ends at %s', async (month, name, step) => {
    const { user } = visit({ query: `?month=${month}` });
    await user.click(button(step));
    expect(table()).toHaveAccessibleName(`Events calendar, ${name}`);
    expect(screen.getByLabelText('query')).toHaveTextContent(`?month=${month}`);
    expect(button(step)).toHaveAttribute('aria-disabled', 'true');
    expect(button(step)).toHaveFocus();
  });

  test.each([
    ['?month=2026-09&type=race', 'září 2026: 1 akce'],
    ['?type=race', 'červenec 2026: 3 akce'],
    ['', 'červenec 2026: 15 akcí'],
    ['?month=2030-01', 'leden 2030: Žádné akce'],
  ])('Czech uses Czech plurals: %s', (query, counted) => {
    visit({ query, language: 'cs' });
    expect(count()).toHaveTextContent(counted);
  });

  test('Czech uses Czech dates, times and prices', async () => {
    const { user } = visit({ language: 'cs' });
    await user.click(button(/^Kolem ostrova, /));
    const details = dialog('Kolem ostrova');
    expect(details).toHaveTextContent('středa 22. července 2026');
    expect(details).toHaveTextContent('7:00–19:00');
    expect(details).toHaveTextContent(/Cena: 125.\$/);
    expect(details).toHaveTextContent('118 jachtařů, zbývá 32 míst');
  });

  test('only members see their registrations', async () => {
    const { user, unmount } = visit({ session: signedIn() });
    expect(button(/^Round the Island, 7:00.AM, Race, registered$/)).toBeVisible();
    await user.click(upcoming().getByRole('button', { name: 'Round the Island' }));
    expect(within(dialog('Round the Island')).getByText('Registered')).toBeVisible();
    unmount();

    visit();
    expect(screen.queryByText('Registered')).not.toBeInTheDocument();
    expect(button(/^Round the Island, 7:00.AM, Race$/)).toBeVisible();
  });
});

describe('on a phone', () => {
  const listed = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  const day = (name: RegExp) =>
    within(screen.getByRole('list', { name: 'Days of July 2026' })).getByRole('button', { name });

  test('the month is a list from today under a strip of its days', () => {
    visit();
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(
      within(screen.getByRole('list', { name: 'Days of July 2026' })).getAllByRole('button'),
    ).toHaveLength(31);
    expect(day(/^Wednesday, July 15: no events$/)).toHaveAttribute('aria-current', 'date');
    expect(day(/^Wednesday, July 15/)).toHaveAttribute('aria-pressed', 'true');
    expect(listed()).toEqual([
      'Friday, July 17',
      'Monday, July 20',
      'Wednesday, July 22',
      'Saturday, July 25',
      'Sunday, July 26',
      'Tuesday, July 28',
    ]);
  });

  test('a selected day without events says so above the later ones', async () => {
    const { user } = visit();
    expect(screen.getByText('Wednesday, July 15: no events')).toBeVisible();
    await user.click(day(/^Tuesday, July 14: 5 events$/));
    expect(screen.queryByText(/: no events$/)).not.toBeInTheDocument();
  });

  test('another month starts at its first day', () => {
    visit({ query: '?month=2026-08' });
    expect(button('Saturday, August 1: 1 event')).toHaveAttribute('aria-pressed', 'true');
    expect(listed()[0]).toBe('Saturday, August 1');
  });

  test('the last month offers no next month', () => {
    visit({ query: '?month=2199-12' });
    expect(screen.getByText('No events this month')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show next month' })).not.toBeInTheDocument();
  });
});

function matches(element: Element | null, fact: string | RegExp): boolean {
  const text = element?.textContent ?? '';
  const fits = typeof fact === 'string' ? text === fact : fact.test(text);
  return fits && !Array.from(element?.children ?? []).some((child) => child.textContent === text);
}
