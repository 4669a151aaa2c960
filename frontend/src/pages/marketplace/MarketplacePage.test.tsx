import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation, useNavigate } from 'react-router-dom';
import { beforeEach, describe, expect, test } from 'vitest';

import { addDays, dayOf } from '../../calendar/day';
import type { Language } from '../../i18n/languages';
import { trackedEvents } from '../../test/analytics';
import { fitMedia, forgetMedia } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import { MarketplacePage } from './MarketplacePage';

function Surroundings() {
  const { search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="query">{search}</output>
      <button onClick={() => void navigate(-1)}>Back of the browser</button>
      <button onClick={() => void navigate('/marketplace')}>Link to the marketplace</button>
    </>
  );
}

function visit(query = '', language: Language = 'en') {
  return renderInSite(
    <>
      <MarketplacePage />
      <Surroundings />
    </>,
    { history: ['/', `/marketplace${query}`], language },
  );
}

// By their headings: to look for roles in so large a page takes jsdom long.
const headings = { selector: 'article h2' };
const names = () => screen.queryAllByText(/./, headings).map(({ textContent }) => textContent);
const back = () => screen.getByText('Back of the browser');
const query = () => screen.getByLabelText('query').textContent;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
function card(name: string): HTMLElement {
  const found = screen.getByText(name, headings).closest('article');
  if (!found) throw new Error(`${name} is in no card`);
  return found;
}
const count = () => screen.getByText(/available|dispozici/, { selector: 'p > strong' }).parentElement;

beforeEach(() => fitMedia('(width >= 1024px)'));

test('the boats are listed in their own order, with how many can be had', () => {
  visit();
  expect(names()).toHaveLength(12);
  expect(names()[0]).toBe('Bora');
  expect(count()).toHaveTextContent(/^10 boats available and 2 not available$/);
});

describe('a card', () => {
  test('says what the boat is, where, whose, and what it costs', () => {
    visit();
    const bora = card('Bora');
    for (const text of [
      'Sailboat',
      'Split, Croatia',
      '40 ft',
      '8 people',
      'Adriatic Blue Charter',
      'Charter',
    ]) {
      expect(within(bora).getByText(text)).toBeVisible();
    }
    expect(bora).toHaveTextContent('$245 per day');
    expect(bora).toHaveTextContent('Rated 4.8 of 5, 126 reviews');
    expect(
      within(bora).getByRole('img', { name: 'Modern white sloop under full sail on a bright blue day' }),
    ).toBeVisible();
  });

  test('of a boat that cannot be had says so, and its button is disabled', () => {
    visit();
    const nordlys = card('Nordlys');
    expect(within(nordlys).getByText('Not Available')).toBeVisible();
    expect(within(nordlys).getByRole('button', { name: 'Unavailable' })).toBeDisabled();
    expect(within(nordlys).queryByRole('button', { name: 'View Details' })).not.toBeInTheDocument();
  });

  test('opens a dialog with everything known about the boat', async () => {
    const { user } = visit();
    const opener = within(card('Bora')).getByRole('button', { name: 'View Details' });
    await user.click(opener);
    const dialog = screen.getByRole('dialog', { name: 'Bora' });
    expect(within(dialog).getAllByRole('img')).toHaveLength(2);
    for (const text of [
      '$245 per day',
      'Rated 4.8 of 5, 126 reviews',
      'A quick, forgiving cruiser',
      'TypeSailboat',
      'Length40 ft',
      'Capacity8 people',
      'Home portSplit, Croatia',
      'Autopilot',
      'Adriatic Blue CharterCharter',
    ]) {
      expect(dialog).toHaveTextContent(text);
    }
    expect(within(dialog).getByRole('region', { name: 'Already booked' })).toHaveTextContent(/20\d\d/);
    expect(trackedEvents()).toContainEqual([
      'button_click',
      { button: 'view_details', location: 'marketplace', item: 'bora' },
    ]);
    await user.keyboard('{Escape}');
    expect(opener).toHaveFocus();
  });

  test('opens another boat after the first', async () => {
    const { user } = visit();
    await user.click(within(card('Bora')).getByRole('button', { name: 'View Details' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(within(card('Petrel')).getByRole('button', { name: 'View Details' }));
    expect(screen.getByRole('dialog', { name: 'Petrel' })).toBeVisible();
  });
});

describe('the search', () => {
  test('narrows the list as it is typed, and the address follows', async () => {
    const { user } = visit();
    await user.type(field('Search boats'), 'SOREN');
    expect(names()).toEqual(['Petrel']);
    expect(count()).toHaveTextContent(/^1 boat available$/);
    await waitFor(() => expect(query()).toBe('?q=SOREN'));
  });

  test('is no step of the history', async () => {
    const { user, path } = visit();
    await user.type(field('Search boats'), 'bora');
    await waitFor(() => expect(query()).toBe('?q=bora'));
    await user.click(back());
    expect(path()).toBe('/');
  });

  test('is in the address as soon as its field is left', async () => {
    const { user } = visit();
    await user.type(field('Search boats'), 'bora');
    await user.tab();
    expect(query()).toBe('?q=bora');
  });

  test('is in the step before a choice, even one that follows at once', async () => {
    const { user } = visit();
    await user.type(field('Search boats'), 'croatia');
    await user.click(screen.getByRole('button', { name: 'Catamaran' }));
    expect(names()).toEqual(['Maestral']);
    await user.click(back());
    expect(field('Search boats')).toHaveValue('croatia');
    expect(names()).toEqual(['Bora', 'Maestral']);
  });

  test('that is still being typed writes over no page that the visitor goes back to', async () => {
    const { user } = visit('?type=yacht');
    await user.type(field('Search boats'), 'blue');
    window.dispatchEvent(new PopStateEvent('popstate'));
    await user.tab();
    expect(query()).toBe('?type=yacht');
  });

  test('writes over none either while the code of that page is still on its way', async () => {
    const { user } = visit('?type=yacht');
    await user.type(field('Search boats'), 'blue');
    // The browser is there, and the router is not told yet.
    window.history.pushState({ key: 'elsewhere' }, '');
    await user.tab();
    expect(query()).toBe('?type=yacht');
  });
});

describe('the address', () => {
  test('brings its choices along', () => {
    visit('?q=a&type=sailboat&owner=individual&min=100&max=300&length=35&capacity=6&sort=price-low');
    expect(field('Search boats')).toHaveValue('a');
    expect(screen.getByRole('button', { name: 'Sailboat', pressed: true })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Individual', pressed: true })).toBeVisible();
    expect(field('Minimum')).toHaveValue('100');
    expect(field('Maximum')).toHaveValue('300');
    expect(field('Minimum length')).toHaveValue('35');
    expect(field('Minimum capacity')).toHaveValue('6');
    expect(field('Sort by')).toHaveValue('price-low');
    expect(names()).toEqual(['Nordlys', 'Aurora']);
  });

  test('is not led astray by what is no choice', () => {
    visit('?type=submarine&min=cheap&from=yesterday&location=Atlantis&sort=alphabet');
    expect(names()).toHaveLength(12);
    expect(field('Location')).toHaveValue('');
  });

  test('says each choice as a step that Back takes back', async () => {
    const { user } = visit();
    await user.selectOptions(field('Location'), 'Split, Croatia');
    expect(query()).toBe('?location=Split%2C+Croatia');
    await user.selectOptions(field('Location'), 'Anywhere');
    await user.selectOptions(field('Minimum length'), '50 ft');
    expect(query()).toBe('?length=50');
    expect(names()).toEqual(['Thalassa', 'Blue Hour', 'Levante']);
    await user.click(back());
    expect(field('Minimum length')).toHaveValue('');
    expect(names()).toHaveLength(12);
    await user.click(back());
    expect(names()).toEqual(['Bora']);
  });

  test('that a link leads to shows what it says', async () => {
    const { user } = visit('?type=yacht');
    await user.click(screen.getByText('Link to the marketplace'));
    expect(names()).toHaveLength(12);
  });

  test('has no step for a choice that changes nothing', async () => {
    const { user, path } = visit();
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    await user.click(back());
    expect(path()).toBe('/');
  });
});

test('the sort dropdown sorts', async () => {
  const { user } = visit();
  await user.selectOptions(field('Sort by'), 'Price: low to high');
  expect(names().slice(0, 2)).toEqual(['Kormorán', 'Petrel']);
  expect(query()).toBe('?sort=price-low');
  await user.selectOptions(field('Sort by'), 'Recommended');
  expect(names()[0]).toBe('Bora');
});

describe('the price range', () => {
  test('is 0 to 1000 at first, and again for a bound that is left blank', async () => {
    const { user } = visit('?min=200&max=300');
    await user.clear(field('Minimum'));
    await user.clear(field('Maximum'));
    expect(names()).toHaveLength(12);
    await user.tab();
    expect(field('Minimum')).toHaveValue('0');
    expect(field('Maximum')).toHaveValue('1000');
    expect(query()).toBe('');
  });

  test('takes whole numbers only, and says so', async () => {
    const { user } = visit();
    await user.clear(field('Maximum'));
    await user.type(field('Maximum'), '60.5');
    expect(field('Maximum')).toHaveAccessibleDescription('Please enter whole dollars.');
    expect(names()).toEqual(['Kormorán']);
    await user.tab();
    expect(field('Maximum')).toHaveValue('60');
    expect(field('Maximum')).not.toHaveAttribute('aria-invalid');
  });

  test('takes as many digits as an address may have', async () => {
    const { user } = visit();
    await user.clear(field('Maximum'));
    await user.type(field('Maximum'), '1000000');
    expect(field('Maximum')).toHaveValue('100000');
    expect(field('Maximum')).not.toHaveAttribute('aria-invalid');
  });

  test('says when its highest is below its lowest', () => {
    visit('?min=500&max=100');
    expect(field('Maximum')).toHaveAccessibleDescription('The highest price is below the lowest.');
    expect(names()).toEqual([]);
  });
});

describe('the rental period', () => {
  const later = (days: number) => addDays(dayOf(new Date()), days);

  test('finds only boats that are for rent', () => {
    visit(`?from=${later(400)}&to=${later(407)}`);
    expect(names()).toHaveLength(10);
    expect(count()).toHaveTextContent(/^10 boats available$/);
  });

  test('says when its end lies before its beginning', () => {
    visit(`?from=${later(9)}&to=${later(2)}`);
    expect(field('To')).toHaveAccessibleDescription('The end of the period lies before its beginning.');
    expect(field('From')).not.toHaveAttribute('aria-invalid');
    expect(names()).toHaveLength(12);
  });

  test.each(['From', 'To'])('says at %s when that day is past', (label) => {
    visit(`?${label.toLowerCase()}=2020-01-01`);
    expect(field(label)).toHaveAccessibleDescription('This day has already passed.');
  });

  test('finds no fault with a year that is half typed; left, the field says what is wrong', () => {
    visit();
    fireEvent.change(field('From'), { target: { value: '0202-07-15' } });
    expect(field('From')).not.toHaveAttribute('aria-invalid');
    fireEvent.change(field('From'), { target: { value: '2020-07-15' } });
    expect(field('From')).not.toHaveAttribute('aria-invalid');
    fireEvent.blur(field('From'));
    expect(field('From')).toHaveAccessibleDescription('This day has already passed.');
  });

  test('offers days from today, and no end before the beginning', () => {
    visit(`?from=${later(5)}`);
    expect(field('From')).toHaveAttribute('min', later(0));
    expect(field('To')).toHaveAttribute('min', later(5));
  });
});

describe('when nothing is found', () => {
  test('the page says so, and Clear all brings every boat back', async () => {
    const { user } = visit('?q=zeppelin&type=yacht&min=900&sort=rating');
    expect(screen.getByRole('heading', { name: 'No boats found' })).toBeVisible();
    expect(count()).toHaveTextContent(/^0 boats available$/);
    const [, inPlaceOfTheList] = screen.getAllByRole('button', { name: 'Clear all' });
    await user.click(inPlaceOfTheList ?? document.body);
    expect(names()).toHaveLength(12);
    expect(query()).toBe('?sort=rating');
    expect(document.activeElement).toContainElement(card('Bora'));
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe('in a narrow window', () => {
  beforeEach(forgetMedia);

  test('the filters are a sheet behind a button that says how many are chosen', async () => {
    const { user } = visit('?type=yacht&length=50');
    expect(screen.queryByLabelText('Location')).not.toBeInTheDocument();
    const button = screen.getByRole('button', { name: 'Filters, 2 chosen' });
    await user.click(button);
    const sheet = screen.getByRole('dialog', { name: 'Filters' });
    await user.click(within(sheet).getByRole('button', { name: 'Charter' }));
    await user.selectOptions(within(sheet).getByLabelText('Location'), 'Antibes, France');
    await user.click(within(sheet).getByRole('button', { name: 'Show 1 boat' }));
    expect(names()).toEqual(['Blue Hour']);
    expect(screen.getByRole('button', { name: 'Filters, 4 chosen' })).toHaveFocus();
  });
});

test('the Czech page counts, names and writes the Czech way', () => {
  visit('?type=catamaran', 'cs');
  expect(count()).toHaveTextContent(/^2 lodě k dispozici$/);
  const thalassa = card('Thalassa');
  expect(thalassa).toHaveTextContent('Katamarán');
  expect(thalassa).toHaveTextContent('50 stop');
  expect(thalassa).toHaveTextContent('12 osob');
  expect(thalassa.textContent).toContain('640\u00a0US$ za den');
  expect(thalassa).toHaveTextContent('4,9');
});

test('what a boat tells of itself in English is English on the Czech page too', async () => {
  const { user } = visit('?q=bora', 'cs');
  const languageOf = (words: HTMLElement) => words.closest('[lang]')?.getAttribute('lang');
  expect(languageOf(within(card('Bora')).getByText('Split, Croatia'))).toBe('en');
  await user.click(within(card('Bora')).getByRole('button', { name: 'Podrobnosti' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Bora' }));
  for (const words of [/^A quick, forgiving cruiser/, 'Split, Croatia', 'Outdoor shower']) {
    expect(languageOf(dialog.getByText(words))).toBe('en');
  }
});

test.each([
  ['', '10 lodí k dispozici a 2 nedostupné'],
  ['?q=bora', '1 loď k dispozici'],
  ['?q=nordlys', '0 lodí k dispozici a 1 nedostupná'],
])('Czech plurals: %j', (search, words) => {
  visit(search, 'cs');
  expect(count()).toHaveTextContent(new RegExp(`^${words}$`));
});
