import { screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Language } from '../../i18n/languages';
import { watchButtons } from '../../test/analytics';
import { fitMedia } from '../../test/mediaQueries';
import { renderInSite } from '../../test/render';
import MarketplacePage from './MarketplacePage';

function Query() {
  return <output>{useLocation().search}</output>;
}

function visit(query = '', language: Language = 'en') {
  return renderInSite(
    <>
      <MarketplacePage />
      <Query />
    </>,
    { history: [`/marketplace${query}`], language },
  );
}

// By elements, because queries by role or label are slow on a large page in jsdom.
const headings = { selector: 'article h2' };
const names = () => screen.queryAllByText(/./, headings).map(({ textContent }) => textContent);
const field = (label: string) =>
  screen.getByText<HTMLLabelElement>(label, { selector: 'label' }).control as HTMLInputElement;
function card(name: string): HTMLElement {
  const found = screen.getByText(name, headings).closest('article');
  if (!found) throw new Error(`No card for ${name}`);
  return found;
}
const count = () =>
  screen.getAllByRole('status').find(({ textContent }) => /available|dispozici/.test(textContent));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 11, 1, 12) });
  fitMedia('(width >= 1280px)');
});

test.each([
  ['en', 'Bora', ['Sailboat', 'Split, Croatia', '40 ft (12.2 m)', '8 people', '$245 per day', '126 reviews']],
  ['cs', 'Thalassa', ['Katamarán', '50 stop (15,2 m)', '12 osob', /640\s\$ za den/, '4,9']],
] as const)('in %s the card of %s shows %j', (language, name, facts) => {
  visit(`?search=${name}`, language);
  for (const fact of facts) expect(card(name)).toHaveTextContent(fact);
  expect(within(card(name)).getByRole('img')).toBeVisible();
});

test('View Details opens a dialog with all details, in Czech too', async () => {
  const pressed = watchButtons();
  const { user } = visit();
  expect(names()).toHaveLength(12);
  expect(names()[0]).toBe('Bora');
  await user.click(within(card('Bora')).getByRole('button', { name: 'View Details' }));
  const dialog = screen.getByRole('dialog', { name: 'Bora' });
  for (const text of [
    '$245 per day',
    'A quick, forgiving',
    'Length40 ft',
    'Autopilot',
    'Adriatic Blue Charter',
  ])
    expect(dialog).toHaveTextContent(text);
  expect(pressed).toEqual(['view_details bora']);
});

test('Czech booked periods name a shared month and year once', async () => {
  const { user } = visit('?search=bora', 'cs');
  await user.click(within(card('Bora')).getByRole('button', { name: 'Podrobnosti' }));
  expect(screen.getByRole('region', { name: 'Už rezervováno' })).toHaveTextContent('20.–27. 12. 2026');
});

test('the address sets every field', () => {
  visit(
    '?search=a&location=oslo&from=2026-12-05&to=2026-12-09&type=sailboat&ownerType=individual' +
      '&minPrice=100&maxPrice=300&minLength=35&minCapacity=6&sort=price-low',
  );
  const values = {
    'Search boats': 'a',
    From: '2026-12-05',
    To: '2026-12-09',
    Minimum: 100,
    Maximum: 300,
    'Minimum length': '35',
    'Minimum capacity': '6',
    'Sort by': 'price-low',
  };
  for (const [label, value] of Object.entries(values)) expect(field(label), label).toHaveValue(value);
  const pressed = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
  expect(pressed).toEqual(['Sailboat', 'Individual']);
  expect([field('From').min, field('To').min]).toEqual(['2026-12-01', '2026-12-05']);
});

test('a price is a whole number; a blank one is 0 or 1000', async () => {
  const { user } = visit('?minPrice=200');
  await user.clear(field('Maximum'));
  await user.type(field('Maximum'), '60.5');
  await user.clear(field('Minimum'));
  expect(names()).toEqual(['Kormorán']);
  await user.tab();
  expect([field('Minimum').value, field('Maximum').value]).toEqual(['0', '60']);
  await user.clear(field('Maximum'));
  expect(names()).toHaveLength(12);
  await user.tab();
  expect(field('Maximum')).toHaveValue(1000);
});

test('Clear all restores every boat and keeps the order', async () => {
  const { user } = visit('?search=zeppelin&sort=rating');
  expect(count()).toHaveTextContent(/^0 boats available$/);
  const [inPanel, inCard] = screen.getAllByRole('button', { name: 'Clear all' });
  expect(inPanel).toHaveAttribute('aria-disabled', 'false');
  await user.click(inCard ?? document.body);
  expect(names()).toHaveLength(12);
  expect(inPanel).toHaveAttribute('aria-disabled', 'true');
  await vi.waitFor(() => expect(document.querySelector('output')).toHaveTextContent(/^\?sort=rating$/));
  await vi.waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});
