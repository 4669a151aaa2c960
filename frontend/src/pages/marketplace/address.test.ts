import { describe, expect, test } from 'vitest';

import { isPrice, type Listing, readListing, WHOLE_LISTING, writeListing } from './address';

const LOCATIONS = ['Split, Croatia', 'Cowes, United Kingdom'];
const read = (search: string) => readListing(search, LOCATIONS);

const CHOSEN: Listing = {
  search: 'Bóra & sons',
  location: 'Split, Croatia',
  from: '2026-08-01',
  to: '2026-08-08',
  type: 'catamaran',
  ownerType: 'charter',
  minPrice: 100,
  maxPrice: 500,
  minLength: 40,
  minCapacity: 8,
  sort: 'price-low',
};

test('an address says every choice, and is read as it was written', () => {
  const search = writeListing(CHOSEN);
  expect(search).toBe(
    '?q=B%C3%B3ra+%26+sons&location=Split%2C+Croatia&from=2026-08-01&to=2026-08-08&type=catamaran&owner=charter&min=100&max=500&length=40&capacity=8&sort=price-low',
  );
  expect(read(search)).toEqual(CHOSEN);
});

test('what is not chosen is not said', () => {
  expect(writeListing(WHOLE_LISTING)).toBe('');
  expect(writeListing({ ...WHOLE_LISTING, minPrice: 50 })).toBe('?min=50');
  expect(read('')).toEqual(WHOLE_LISTING);
});

describe('a value that is no choice is ignored', () => {
  test.each([
    'type=submarine',
    'type=',
    'owner=pirate',
    'location=Atlantis',
    'from=2026-02-30',
    'to=tomorrow',
    'min=-5',
    'min=12.5',
    'max=1e3',
    'max=0x10',
    'max=9999999',
    'max=',
    'length=33',
    'length=0',
    'capacity=many',
    'sort=alphabet',
    'unknown=1',
    'q=',
  ])('%s', (search) => {
    expect(read(search)).toEqual(WHOLE_LISTING);
  });

  test('and the others count', () => {
    expect(read('type=submarine&owner=charter&min=abc&length=40')).toEqual({
      ...WHOLE_LISTING,
      ownerType: 'charter',
      minLength: 40,
    });
  });
});

test('a price is a whole number', () => {
  expect(['0', '007', '1000', '999999'].map(isPrice)).toEqual([true, true, true, true]);
  expect(['', '-1', '1.5', '1 000', '1000000', 'ten'].map(isPrice)).toEqual(Array(6).fill(false));
});
