import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation, useNavigate } from 'react-router-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { addDays, toDay } from '../../features/calendar';
import type { Language } from '../../i18n/languages';
import { watchButtons } from '../../test/analytics';
import { fitMedia, resetMediaQueries } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import MarketplacePage from './MarketplacePage';

function Query() {
  return <output>{useLocation().search}</output>;
}

function Back() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate(-1)}>Back</button>;
}

/** Show the page with a query, after a visit with another one. */
function visit(query = '', language: Language = 'en', before = '') {
  return renderInSite(
    <>
      <MarketplacePage />
      <Query />
      <Back />
    </>,
    { history: [`/marketplace${before}`, `/marketplace${query}`], language },
  );
}

// By elements, because queries by role or label are slow on a large page in jsdom.
const headings = { selector: 'article h2' };
const names = () => screen.queryAllByText(/./, headings).map(({ textContent }) => textContent);
const query = () => document.querySelector('output')?.textContent;
/** Go back without a press, so that the focus stays. */
const goBack = () => fireEvent.click(screen.getByText('Back'));
const field = (label: string) =>
  screen.getByText<HTMLLabelElement>(label, { selector: 'label' }).control as HTMLInputElement;
function card(name: string): HTMLElement {
  const found = screen.getByText(name, headings).closest('article');
  if (!found) throw new Error(`No card for ${name}`);
  return found;
}
const count = () =>
  screen.getAllByRole('status').find(({ textContent }) => /available|dispozici/.test(textContent));

beforeEach(() => fitMedia('(width >= 1024px)'));

test('the boats are listed in order with the number available', () => {
  visit();
  expect(names()).toHaveLength(12);
  expect(names()[0]).toBe('Bora');
  expect(count()).toHaveTextContent(/^10 boats available, 2 unavailable$/);
});

describe('a card', () => {
  test('shows the facts, price and rating of the boat', () => {
    visit('?q=bora');
    const bora = card('Bora');
    for (const text of [
      'Sailboat',
      'Split, Croatia',
      '40 ft (12.2 m)',
      '8 people',
      'Adriatic Blue Charter',
      'Charter',
    ]) {
      expect(within(bora).getByText(text)).toBeVisible();
    }
    expect(bora).toHaveTextContent('$245 per day');
    expect(bora).toHaveTextContent('Rated 4.8 out of 5, 126 reviews');
    expect(
      within(bora).getByRole('img', { name: 'Modern white sloop under full sail on a bright blue day' }),
    ).toBeVisible();
  });

  test('opens a dialog with all details, then that of another boat', async () => {
    const pressed = watchButtons();
    const { user } = visit();
    const opener = within(card('Bora')).getByRole('button', { name: 'View Details' });
    await user.click(opener);
    const dialog = screen.getByRole('dialog', { name: 'Bora' });
    for (const text of [
      '$245 per day',
      'Rated 4.8 out of 5, 126 reviews',
      'A quick, forgiving cruiser',
      'TypeSailboat',
      'Length40 ft (12.2 m)',
      'Capacity8 people',
      'Home portSplit, Croatia',
      'Autopilot',
      'Adriatic Blue CharterCharter',
    ]) {
      expect(dialog).toHaveTextContent(text);
    }
    expect(within(dialog).getByRole('region', { name: 'Already booked' })).toHaveTextContent(/20\d\d/);
    expect(pressed).toEqual(['view_details bora']);
    await user.keyboard('{Escape}');
    expect(opener).toHaveFocus();

    await user.click(within(card('Petrel')).getByRole('button', { name: 'View Details' }));
    expect(screen.getByRole('dialog', { name: 'Petrel' })).toBeVisible();
  });
});

describe('the details of a boat', () => {
  test('stay open when Back removes the boat from the list', async () => {
    const { user } = visit('?q=bora', 'en', '?q=petrel');
    await user.click(within(card('Bora')).getByRole('button', { name: 'View Details' }));
    goBack();
    expect(names()).toEqual(['Petrel']);
    expect(screen.getByRole('dialog', { name: 'Bora' })).toBeVisible();
  });

  test('have a gallery of three pictures', async () => {
    const { user } = visit('?q=petrel');
    await user.click(within(card('Petrel')).getByRole('button', { name: 'View Details' }));
    const gallery = within(screen.getByRole('group', { name: 'Pictures of Petrel' }));
    const [first, second, third] = gallery.getAllByRole('button');
    expect(gallery.getByRole('img')).toHaveAccessibleName(/^Blue open sports motorboat/);
    expect(first).toHaveAttribute('aria-current', 'true');
    for (const button of [third, second]) {
      await user.click(button ?? document.body);
      expect(gallery.getByRole('img')).toHaveAccessibleName(button?.getAttribute('aria-label') ?? '');
      expect(gallery.getAllByRole('button', { current: true })).toEqual([button]);
    }
  });
});

describe('the URL', () => {
  test('sets every field', () => {
    visit('?q=a&type=sailboat&owner=individual&min=100&max=300&length=35&capacity=6&sort=price-low');
    expect(field('Search boats')).toHaveValue('a');
    expect(screen.getByRole('button', { name: 'Sailboat', pressed: true })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Individual', pressed: true })).toBeVisible();
    expect(field('Minimum')).toHaveValue(100);
    expect(field('Maximum')).toHaveValue(300);
    expect(field('Minimum length')).toHaveValue('35');
    expect(field('Minimum capacity')).toHaveValue('6');
    expect(field('Sort by')).toHaveValue('price-low');
    expect(names()).toEqual(['Nordlys', 'Aurora']);
  });
});

describe('the price range', () => {
  test('is 0 to 1000 by default and when cleared', async () => {
    const { user } = visit('?min=200&max=300');
    await user.clear(field('Minimum'));
    await user.clear(field('Maximum'));
    expect(names()).toHaveLength(12);
    await user.tab();
    expect(field('Minimum')).toHaveValue(0);
    expect(field('Maximum')).toHaveValue(1000);
    await waitFor(() => expect(query()).toBe(''));
  });

  test('accepts only whole numbers, and applies what it has accepted', async () => {
    const { user } = visit();
    await user.clear(field('Maximum'));
    await user.type(field('Maximum'), '60.5');
    expect(names()).toEqual(['Kormorán']);
    await user.tab();
    expect(field('Maximum')).toHaveValue(60);
  });
});

test('the rental period offers days from today and no end before the start', () => {
  const later = (days: number) => addDays(toDay(new Date()), days);
  visit(`?q=bora&from=${later(5)}`);
  expect(field('From')).toHaveAttribute('min', later(0));
  expect(field('To')).toHaveAttribute('min', later(5));
  for (const label of ['From', 'To']) expect(field(label)).toHaveAttribute('max', '9999-12-31');
});

describe('without results', () => {
  test('the page says so, and Clear all restores every boat and keeps the focus', async () => {
    const { user } = visit('?q=zeppelin&type=yacht&min=900&sort=rating');
    expect(screen.getByRole('heading', { name: 'No boats found' })).toBeVisible();
    expect(count()).toHaveTextContent(/^0 boats available$/);
    const [, clearResults] = screen.getAllByRole('button', { name: 'Clear all' });
    await user.click(clearResults ?? document.body);
    expect(names()).toHaveLength(12);
    expect(query()).toBe('?sort=rating');
    expect(document.activeElement).toContainElement(card('Bora'));
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe('in a narrow window', () => {
  beforeEach(resetMediaQueries);

  test('the filters open in a dialog; its button counts the active ones', async () => {
    const { user } = visit('?type=yacht&length=50');
    expect(screen.queryByLabelText('Location')).not.toBeInTheDocument();
    const button = screen.getByRole('button', { name: 'Filters, 2 chosen' });
    await user.click(button);
    const sheet = screen.getByRole('dialog', { name: 'Filters' });
    const status = within(sheet).getByRole('status');
    expect(status).toHaveTextContent(/^2 boats available$/);
    await user.click(within(sheet).getByRole('button', { name: 'Charter' }));
    await user.selectOptions(within(sheet).getByLabelText('Location'), 'Antibes, France');
    expect(status).toHaveTextContent(/^1 boat available$/);
    await user.click(within(sheet).getByRole('button', { name: 'Show 1 boat' }));
    expect(names()).toEqual(['Blue Hour']);
    expect(screen.getByRole('button', { name: 'Filters, 4 chosen' })).toHaveFocus();
  });
});

test('the Czech page uses Czech labels, plurals and numbers', () => {
  visit('?type=catamaran', 'cs');
  expect(count()).toHaveTextContent(/^2 lodě k dispozici$/);
  const thalassa = card('Thalassa');
  expect(thalassa).toHaveTextContent('Katamarán');
  expect(thalassa).toHaveTextContent('50 stop (15,2 m)');
  expect(thalassa).toHaveTextContent('12 osob');
  expect(thalassa.textContent).toContain('640\u00a0$ za den');
  expect(thalassa).toHaveTextContent('4,9');
});

test('Czech booked periods name a shared month and year once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 11, 1, 12) });
  const { user } = visit('?q=bora', 'cs');
  await user.click(within(card('Bora')).getByRole('button', { name: 'Podrobnosti' }));
  const booked = screen.getByRole('region', { name: 'Už rezervováno' });
  expect(booked).toHaveTextContent('20.–27. 12. 2026');
  vi.useRealTimers();
});

test('a location of the address is found in both languages', () => {
  visit('?location=gothenburg', 'cs');
  expect(field('Místo')).toHaveDisplayValue('Göteborg, Švédsko');
  expect(names()).toEqual(['Petrel']);
});

test.each([
  ['', '10 lodí k dispozici, 2 nedostupné'],
  ['?q=bora', '1 loď k dispozici'],
  ['?q=nordlys', '0 lodí k dispozici, 1 nedostupná'],
])('Czech plurals: %j', (search, words) => {
  visit(search, 'cs');
  expect(count()).toHaveTextContent(new RegExp(`^${words}$`));
});
