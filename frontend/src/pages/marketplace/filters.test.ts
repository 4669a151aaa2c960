import { describe, expect, test } from 'vitest';

import { testBoat } from '../../test/boats';
import {
  CAPACITIES,
  countActiveFilters,
  filterBoats,
  type Filters,
  LENGTHS,
  listLocations,
  NO_FILTERS,
  normalizeText,
  doPeriodsOverlap,
  resolvePeriod,
  type Sort,
  sortBoats,
} from './filters';

const BOATS = [
  testBoat({
    id: 'Bora',
    ownerType: 'charter',
    ownerName: 'Adriatic Blue',
    locationId: 'split',
    location: 'Split, Croatia',
  }),
  testBoat({ id: 'Petrel', type: 'motorboat', ownerName: 'Søren Lindqvist', pricePerDay: 95, length: 24 }),
  testBoat({ id: 'Kormorán', ownerName: 'Petr Dvořák', pricePerDay: 0, capacity: 4 }),
  testBoat({ id: 'Blue Hour', type: 'yacht', pricePerDay: 1000, length: 72, capacity: 12 }),
  testBoat({ id: 'Flagship', type: 'yacht', pricePerDay: 1001 }),
  testBoat({ id: 'Nordlys', available: false }),
  testBoat({ id: 'Aurora', booked: [{ from: '2026-08-10', to: '2026-08-17' }] }),
];
const names = (filters: Partial<Filters>) =>
  filterBoats(BOATS, { ...NO_FILTERS, ...filters }).map(({ name }) => name);

test('without filters all boats up to $1000 are found in order', () => {
  expect(names({})).toEqual(['Bora', 'Petrel', 'Kormorán', 'Blue Hour', 'Nordlys', 'Aurora']);
});

describe('the search', () => {
  test.each([
    ['the name', 'bora', ['Bora']],
    ['the location', 'croatia', ['Bora']],
    ['the owner', 'lindqvist', ['Petrel']],
    ['without accents', 'kormoran', ['Kormorán']],
    ['a part of a word', 'orl', []],
    ['spaces around it', '  petrel ', ['Petrel']],
    ['only spaces', '   ', ['Bora', 'Petrel', 'Kormorán', 'Blue Hour', 'Nordlys', 'Aurora']],
  ])('finds by %s', (_, search, found) => {
    expect(names({ search })).toEqual(found);
  });

  test('ignores other fields and does not match across fields', () => {
    expect(names({ search: 'anchor' })).toEqual([]);
    expect(names({ search: 'bora split' })).toEqual([]);
  });
});

test('location, boat type and owner type must be equal', () => {
  expect(names({ location: 'split' })).toEqual(['Bora']);
  expect(names({ type: 'motorboat' })).toEqual(['Petrel']);
  expect(names({ ownerType: 'charter' })).toEqual(['Bora']);
});

describe('the price', () => {
  test('includes both of its bounds', () => {
    expect(names({ minPrice: 95, maxPrice: 200 })).toEqual(['Bora', 'Petrel', 'Nordlys', 'Aurora']);
    expect(names({ minPrice: 1000 })).toEqual(['Blue Hour']);
    expect(names({ maxPrice: 0 })).toEqual(['Kormorán']);
  });

  test('may have its bounds in either order', () => {
    expect(names({ minPrice: 200, maxPrice: 95 })).toEqual(names({ minPrice: 95, maxPrice: 200 }));
  });
});

test('length and capacity are at least', () => {
  expect(LENGTHS).toEqual([25, 30, 35, 40, 50]);
  expect(CAPACITIES).toEqual([4, 6, 8, 10, 12]);
  expect(names({ minLength: 25 })).toEqual(['Bora', 'Kormorán', 'Blue Hour', 'Nordlys', 'Aurora']);
  const exact = [testBoat({ id: 'Just', length: 40, capacity: 8 })];
  expect(filterBoats(exact, { ...NO_FILTERS, minLength: 40, minCapacity: 8 })).toHaveLength(1);
  expect(filterBoats(exact, { ...NO_FILTERS, minLength: 50 })).toHaveLength(0);
  expect(filterBoats(exact, { ...NO_FILTERS, minCapacity: 10 })).toHaveLength(0);
});

describe('a rental period', () => {
  test('leaves out boats that are not for rent', () => {
    expect(names({ from: '2026-09-01', to: '2026-09-05' })).toEqual([
      'Bora',
      'Petrel',
      'Kormorán',
      'Blue Hour',
      'Aurora',
    ]);
  });

  test.each([
    ['touches its first day', '2026-08-08', '2026-08-10'],
    ['touches its last day', '2026-08-17', '2026-08-20'],
    ['lies in it', '2026-08-12', '2026-08-13'],
  ])('leaves out a boat when it %s that is booked', (_, from, to) => {
    expect(names({ from, to })).not.toContain('Aurora');
  });

  test('has a boat that is free on all of its days', () => {
    expect(names({ from: '2026-08-18', to: '2026-08-25' })).toContain('Aurora');
  });

  test('of one day when only one is given', () => {
    expect(names({ from: '2026-08-09' })).toContain('Aurora');
    expect(names({ to: '2026-08-10' })).not.toContain('Aurora');
  });
});

test('an answered question counts once, the search not at all', () => {
  expect(countActiveFilters(NO_FILTERS)).toBe(0);
  expect(countActiveFilters({ ...NO_FILTERS, search: 'bora' })).toBe(0);
  expect(
    countActiveFilters({
      search: '',
      location: 'split',
      from: '2026-08-01',
      to: '2026-08-08',
      type: 'yacht',
      ownerType: 'charter',
      minPrice: 100,
      maxPrice: 500,
      minLength: 30,
      minCapacity: 6,
    }),
  ).toBe(7);
  expect(countActiveFilters({ ...NO_FILTERS, to: '2026-08-08', maxPrice: 999 })).toBe(2);
});

test('the locations are each named once, in the order of the language', () => {
  const boats = ['Zadar', 'Čadca', 'Cowes', 'Zadar', 'Chania'].map((location, index) =>
    testBoat({ id: String(index), locationId: location.toLowerCase(), location }),
  );
  const namesIn = (locale: string) => listLocations(boats, locale).map(({ name }) => name);
  expect(namesIn('en-US')).toEqual(['Čadca', 'Chania', 'Cowes', 'Zadar']);
  expect(namesIn('cs-CZ')).toEqual(['Cowes', 'Čadca', 'Chania', 'Zadar']);
});

const UNSORTED = [
  testBoat({ id: 'c', pricePerDay: 300, rating: 4.5, reviewCount: 10, length: 30 }),
  testBoat({ id: 'a', pricePerDay: 100, rating: 4.9, reviewCount: 5, length: 50 }),
  testBoat({ id: 'd', pricePerDay: 300, rating: 4.5, reviewCount: 20, length: 40 }),
  testBoat({ id: 'b', pricePerDay: 200, rating: 4.9, reviewCount: 5, length: 30 }),
];

test.each<[Sort, string]>([
  ['recommended', 'cadb'],
  ['price-low', 'abcd'],
  ['price-high', 'cdba'],
  ['rating', 'abdc'],
  ['length', 'adcb'],
])('%s sorts to %s, stable for equal boats', (sort, order) => {
  expect(
    sortBoats(UNSORTED, sort)
      .map(({ id }) => id)
      .join(''),
  ).toBe(order);
});

test('the argument is not mutated', () => {
  const before = [...UNSORTED];
  sortBoats(UNSORTED, 'price-low');
  expect(UNSORTED).toEqual(before);
});

test.each([
  ['BORA', 'bora'],
  ['Šibenik', 'sibenik'],
  ['Dvořák', 'dvorak'],
  ['João Marques', 'joao marques'],
  // The same letter precomposed and decomposed.
  ['Malmö', 'malmo'],
  ['Malmo\u0308', 'malmo'],
  ['  two   words ', 'two words'],
])('%j is normalized to %j', (text, normalized) => {
  expect(normalizeText(text)).toBe(normalized);
});

test.each([
  ['from a day to a later one', '2026-07-20', '2026-07-27', { from: '2026-07-20', to: '2026-07-27' }],
  ['with its ends swapped', '2026-07-27', '2026-07-20', { from: '2026-07-20', to: '2026-07-27' }],
  ['with only a start is that day', '2026-07-20', '', { from: '2026-07-20', to: '2026-07-20' }],
  ['with only an end is that day', '', '2026-07-20', { from: '2026-07-20', to: '2026-07-20' }],
  ['without a day is none', '', '', undefined],
])('a rental period %s', (_, from, to, period) => {
  expect(resolvePeriod({ from, to })).toEqual(period);
});

describe('periods overlap', () => {
  const stay = { from: '2026-07-10', to: '2026-07-17' };
  test.each([
    ['one in the other', '2026-07-12', '2026-07-13', true],
    ['one around the other', '2026-07-01', '2026-07-31', true],
    ['the last day is the first of the other', '2026-07-17', '2026-07-20', true],
    ['the first day is the last of the other', '2026-07-01', '2026-07-10', true],
    ['the day after', '2026-07-18', '2026-07-20', false],
    ['the day before', '2026-07-01', '2026-07-09', false],
  ])('%s: %s to %s is %s', (_, from, to, shared) => {
    expect(doPeriodsOverlap(stay, { from, to })).toBe(shared);
    expect(doPeriodsOverlap({ from, to }, stay)).toBe(shared);
  });
});
