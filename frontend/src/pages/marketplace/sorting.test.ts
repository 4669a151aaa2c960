import { expect, test } from 'vitest';

import { type Sort, sortBoats } from './sorting';
import { testBoat } from '../../test/boats';

const BOATS = [
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
    sortBoats(BOATS, sort)
      .map(({ id }) => id)
      .join(''),
  ).toBe(order);
});

test('the argument is not mutated', () => {
  const before = [...BOATS];
  sortBoats(BOATS, 'price-low');
  expect(BOATS).toEqual(before);
});
