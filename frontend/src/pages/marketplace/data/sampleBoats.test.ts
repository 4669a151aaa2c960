import { expect, test } from 'vitest';

import { BOAT_TYPES, OWNER_TYPES } from '../boat';
import { CAPACITIES, DEFAULT_MAX_PRICE, filterBoats, indexBoats, LENGTHS, NO_FILTERS } from '../filters';
import { createSampleBoats } from './sampleBoats';

const TODAY = '2026-11-21';
const BOATS = createSampleBoats(TODAY, String);

test('the sample has the shape of an API response', () => {
  expect(JSON.parse(JSON.stringify(BOATS))).toEqual(BOATS);
});

test('every filter matches some of the sample and not all', () => {
  const found = (filters: object) =>
    filterBoats(indexBoats(BOATS), { ...NO_FILTERS, ...filters }, TODAY).length;
  const narrowed = [
    ...BOAT_TYPES.map((type) => ({ type })),
    ...OWNER_TYPES.map((ownerType) => ({ ownerType })),
    ...LENGTHS.map((minLength) => ({ minLength })),
    ...CAPACITIES.slice(1).map((minCapacity) => ({ minCapacity })),
    { from: TODAY, to: '2026-11-25' },
  ];
  expect(found({})).toBe(BOATS.length);
  for (const filters of narrowed) {
    expect(found(filters), JSON.stringify(filters)).toBeGreaterThan(0);
    expect(found(filters), JSON.stringify(filters)).toBeLessThan(BOATS.length);
  }
  expect(BOATS.every(({ capacity }) => capacity >= CAPACITIES[0])).toBe(true);
  expect(BOATS.every(({ pricePerDay }) => pricePerDay <= DEFAULT_MAX_PRICE)).toBe(true);
  expect(new Set(BOATS.map(({ available }) => available)).size).toBe(2);
});

test('bookings are relative to the month of the visit, across the end of a year', () => {
  const [bora] = createSampleBoats('2026-12-31', String);
  expect(bora?.booked).toEqual([
    { from: '2026-12-20', to: '2026-12-27' },
    { from: '2027-01-04', to: '2027-01-11' },
    { from: '2027-02-15', to: '2027-02-22' },
  ]);
});
