import { describe, expect, test } from 'vitest';

import { readState, writeState } from '../../lib/router/useUrlState';
import { NO_FILTERS } from './filters';
import { type BoatSearch, createReaders, PARAMETER_NAMES } from './searchParams';

const DEFAULT_SEARCH: BoatSearch = { ...NO_FILTERS, sort: 'recommended' };
const READERS = createReaders(['split', 'cowes']);
const read = (query: string) => readState(query, READERS, PARAMETER_NAMES);
const write = (search: BoatSearch) => writeState(search, '', READERS, PARAMETER_NAMES);

const SEARCH: BoatSearch = {
  search: 'Bóra & sons',
  location: 'split',
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

test('every value is written and read back', () => {
  const query = write(SEARCH);
  expect(query).toBe(
    'q=B%C3%B3ra+%26+sons&location=split&from=2026-08-01&to=2026-08-08&type=catamaran&owner=charter&min=100&max=500&length=40&capacity=8&sort=price-low',
  );
  expect(read(query)).toEqual(SEARCH);
});

test('defaults are not written', () => {
  expect(write(DEFAULT_SEARCH)).toBe('');
  expect(write({ ...DEFAULT_SEARCH, minPrice: 50 })).toBe('min=50');
  expect(read('')).toEqual(DEFAULT_SEARCH);
});

describe('an invalid value is ignored', () => {
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
  ])('%s', (query) => {
    expect(read(query)).toEqual(DEFAULT_SEARCH);
  });

  test('and the valid ones apply', () => {
    expect(read('type=submarine&owner=charter&min=abc&length=40')).toEqual({
      ...DEFAULT_SEARCH,
      ownerType: 'charter',
      minLength: 40,
    });
  });
});
