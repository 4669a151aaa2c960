import boatSailboat1 from '@media/boat-sailboat-1.avif?picture';
import { expect, test } from 'vitest';

import { readState } from '../../lib/router/useUrlState';
import type { Boat } from './boat';
import { countActiveFilters, findBoats, NO_SEARCH, READERS } from './filters';

const createBoat = (name: string, boat: Partial<Boat> = {}): Boat => ({
  id: name,
  name,
  type: 'sailboat',
  ownerType: 'individual',
  ownerName: 'Olga',
  locationId: 'brest',
  location: 'Brest, France',
  pricePerDay: 200,
  length: 36,
  capacity: 6,
  rating: 4.5,
  reviewCount: 10,
  images: [{ ...boatSailboat1, alt: 'A boat' }],
  description: 'She sails.',
  amenities: ['Anchor'],
  available: true,
  booked: [],
  ...boat,
});

const BOATS = [
  createBoat('Bora', { ownerType: 'charter', locationId: 'split', location: 'Split, Croatia' }),
  createBoat('Petrel', { type: 'motorboat', ownerName: 'Søren Lindqvist', pricePerDay: 95, length: 24 }),
  createBoat('Kormorán', { pricePerDay: 0, capacity: 4, rating: 4.9 }),
  createBoat('Blue Hour', { pricePerDay: 1000, length: 72, capacity: 12, reviewCount: 11 }),
  createBoat('Flagship', { pricePerDay: 1001 }),
  createBoat('Nordlys', { available: false }),
  createBoat('Aurora', { booked: [{ from: '2026-08-10', to: '2026-08-17' }] }),
];
const ALL = ['Bora', 'Petrel', 'Kormorán', 'Blue Hour', 'Nordlys', 'Aurora'];
const FREE = ['Bora', 'Petrel', 'Kormorán', 'Blue Hour'];

test.each([
  ['', ALL], // up to $1000
  ['search=lindqvist', ['Petrel']],
  ['search=++KORMORAN+', ['Kormorán']],
  ['search=anchor', []],
  ['search=bora+split', []],
  ['location=split', ['Bora']],
  ['type=motorboat', ['Petrel']],
  ['ownerType=charter', ['Bora']],
  ['minPrice=95&maxPrice=200', ['Bora', 'Petrel', 'Nordlys', 'Aurora']],
  ['minPrice=200&maxPrice=95', ['Bora', 'Petrel', 'Nordlys', 'Aurora']],
  ['maxPrice=0', ['Kormorán']],
  ['minCapacity=12', ['Blue Hour']],
  ['from=2026-08-08&to=2026-08-10', FREE],
  ['to=2026-08-10', FREE],
  ['from=2026-08-18&to=2026-08-25', [...FREE, 'Aurora']],
  ['from=2026-08-09', [...FREE, 'Aurora']],
  ['sort=price-low', ['Kormorán', 'Petrel', 'Bora', 'Nordlys', 'Aurora', 'Blue Hour']],
  ['sort=price-high', ['Blue Hour', 'Bora', 'Nordlys', 'Aurora', 'Petrel', 'Kormorán']],
  ['sort=rating', ['Kormorán', 'Blue Hour', 'Bora', 'Petrel', 'Nordlys', 'Aurora']],
  ['sort=length', ['Blue Hour', 'Bora', 'Kormorán', 'Nordlys', 'Aurora', 'Petrel']],
])('%j finds %j', (query, names) => {
  expect(findBoats(BOATS, readState(query, READERS)).map(({ name }) => name)).toEqual(names);
});

test.each([
  'type=submarine',
  'ownerType=pirate',
  'from=2026-02-30',
  'to=tomorrow',
  'minPrice=-5',
  'maxPrice=',
  'minLength=many',
  'sort=alphabet',
])('%j is ignored', (query) => {
  expect(readState(query, READERS)).toEqual(NO_SEARCH);
});

test('an answered question counts once, the search and the order not at all', () => {
  const count = (query: string) => countActiveFilters(readState(query, READERS));
  expect(count('search=bora&sort=rating')).toBe(0);
  expect(count('to=2026-08-08&maxPrice=999')).toBe(2);
  const range = 'from=2026-08-01&to=2026-08-08&minPrice=100&maxPrice=500';
  expect(count(`${range}&location=split&type=yacht&ownerType=charter&minLength=30&minCapacity=6`)).toBe(7);
});
