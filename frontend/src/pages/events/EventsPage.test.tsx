import { screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Language } from '../../i18n/languages';
import type { Session } from '../../session/sessionStore';
import { LazyMemberControls } from '../../menus/Account';
import { trackedEvents } from '../../test/analytics';
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
const titles = (list: { getAllByRole: typeof screen.getAllByRole }) =>
  list.getAllByRole('article').map((row) => within(row).getByRole('button').textContent);
const count = () => within(screen.getByRole('region', { name: /20\d\d$/ })).getByRole('status');
const dialog = (name: string) => screen.getByRole<HTMLDialogElement>('dialog', { name });

beforeAll(() => LazyMemberControls.preload('en', 'required'));

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

  test('only today is marked as current', () => {
    visit();
    const marked = within(table())
      .getAllByRole('cell')
      .filter((day) => day.hasAttribute('aria-current'));
    expect(marked).toEqual([cell(/Wednesday, July 15/)]);
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

  test('the rest opens in a dialog of the day, and an event in a dialog above it', async () => {
    const { user } = visit();
    await user.click(button(/\+2 more/));
    const day = within(dialog('Tuesday, July 14'));
    expect(titles(day)).toEqual([
      'Breakfast',
      'Sprints',
      'MOB Drill',
      'Parade of Old Hulls',
      'Mussels on the Quay',
    ]);
    await user.click(day.getByRole('button', { name: 'Mussels on the Quay' }));
    expect(dialog('Mussels on the Quay')).toBeVisible();

    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog', { name: 'Mussels on the Quay' })).not.toBeInTheDocument();
    expect(day.getByRole('button', { name: 'Mussels on the Quay' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(button(/\+2 more/)).toHaveFocus();
  });

  test('a click on an event is tracked and opens its details', async () => {
    const { user } = visit();
    await user.click(button(/^Round the Island, /));
    expect(trackedEvents()).toEqual([
      ['button_click', { button: 'event', location: 'events', item: 'round-the-island' }],
    ]);
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

  test('the month changes across years, and Today returns to the current month', async () => {
    const { user } = visit({ query: '?month=2026-12' });
    expect(screen.getByRole('heading', { name: 'December 2026' })).toBeVisible();
    await user.click(button('Next month'));
    expect(table()).toHaveAccessibleName('Events calendar, January 2027');
    await user.click(button('Previous month'));
    await user.click(button('Previous month'));
    expect(table()).toHaveAccessibleName('Events calendar, November 2026');
    expect(screen.getByLabelText('query')).toHaveTextContent('?month=2026-11');
    expect(button('Previous month')).toHaveFocus();

    await user.click(button('Today'));
    expect(table()).toHaveAccessibleName('Events calendar, July 2026');
    expect(screen.getByLabelText('query')).toBeEmptyDOMElement();
    expect(button('Today')).toHaveFocus();
    expect(button('Today')).toHaveAttribute('aria-disabled', 'true');
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

  test('a type filters the calendar, the count and the upcoming events', async () => {
    const { user } = visit();
    expect(count()).toHaveTextContent('July 2026: 15 events');
    await user.click(button('Races'));
    expect(button('Races')).toHaveAttribute('aria-pressed', 'true');
    expect(count()).toHaveTextContent('July 2026: 3 events');
    expect(screen.queryByRole('button', { name: /^Harbor Dinner/ })).not.toBeInTheDocument();
    expect(within(cell(/Tuesday, July 14/)).getAllByRole('button')).toHaveLength(1);
    expect(titles(upcoming())).toEqual([
      'Round the Island',
      'Full Moon Regatta',
      'Two-Handed Cup',
      'Commodore’s Cup',
    ]);
    expect(screen.getByLabelText('query')).toHaveTextContent('?type=race');

    await user.click(button('All events'));
    expect(count()).toHaveTextContent('July 2026: 15 events');
  });

  test('the next 5 events are upcoming', () => {
    visit();
    expect(titles(upcoming())).toEqual([
      'Night Navigation',
      'Whale Watch Sail',
      'Round the Island',
      'First Aid Afloat',
      'Crew Evening',
    ]);
    expect(upcoming().getByRole('button', { name: 'Night Navigation' })).toHaveAccessibleDescription(
      /^Friday, July 17 7:30.–.11:30.PM$/,
    );
  });

  test.each([
    ['?month=2026-08&type=training', 'August 2026', 'Training'],
    ['?month=2026-99&type=party', 'July 2026', 'All events'],
  ])('the URL %s shows %s and the type %s', (query, month, type) => {
    visit({ query });
    expect(table()).toHaveAccessibleName(`Events calendar, ${month}`);
    expect(button(type)).toHaveAttribute('aria-pressed', 'true');
  });

  test('a month without events says so', () => {
    visit({ query: '?month=2030-01' });
    expect(count()).toHaveTextContent('January 2030: No events');
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

  test("'Create Event' announces the launch", async () => {
    const { user } = visit();
    await user.click(button('Create Event'));
    expect(await screen.findByText('This opens when the community launches.')).toBeVisible();
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

  test('a selected day starts the list, with at most 3 events per day', async () => {
    const { user } = visit();
    await user.click(day(/^Tuesday, July 14: 5 events$/));
    expect(day(/July 14/)).toHaveAttribute('aria-pressed', 'true');
    expect(listed()[0]).toBe('Tuesday, July 14');
    await user.click(button('+2 more on Tuesday, July 14'));
    expect(titles(within(dialog('Tuesday, July 14')))).toHaveLength(5);
  });

  test('Today returns from another day of the month', async () => {
    const { user } = visit();
    await user.click(day(/^Friday, July 31/));
    expect(listed()).toEqual([]);
    await user.click(button('Today'));
    expect(day(/^Wednesday, July 15/)).toHaveAttribute('aria-pressed', 'true');
    expect(listed()[0]).toBe('Friday, July 17');
    expect(button('Today')).toHaveFocus();
    expect(screen.getByLabelText('query')).toBeEmptyDOMElement();
  });

  test('another month starts at its first day', () => {
    visit({ query: '?month=2026-08' });
    expect(button('Saturday, August 1: no events')).toHaveAttribute('aria-pressed', 'true');
    expect(listed()[0]).toBe('Sunday, August 2');
  });

  test('an empty rest of the month offers the next month and moves the focus to its heading', async () => {
    const { user } = visit();
    await user.click(day(/^Friday, July 31/));
    expect(screen.getByText('Nothing more this month')).toBeVisible();
    await user.click(button('Show next month'));
    expect(screen.getByRole('heading', { name: 'August 2026' })).toHaveFocus();
    expect(listed()).toHaveLength(7);
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
