import { expect, test } from 'vitest';

import { getInitials, getTint } from './Avatar';

test.each([
  ['Marina Kovač', 'MK'],
  ['Anna Maria van der Berg', 'AB'],
  ['  Šimon  ', 'Š'],
  ['𝒜nna', '𝒜'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(getInitials(name)).toBe(initials);
});

test('the tint of a name is one of six and always the same', () => {
  const names = Array.from({ length: 60 }, (_, index) => `Sailor ${index}`);
  expect(names.map(getTint)).toEqual(names.map(getTint));
  expect(new Set(names.map(getTint))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
