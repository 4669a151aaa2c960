import { expect, test } from 'vitest';

import { initialsOf, tintOf } from './Avatar';

test.each([
  ['Marina Kovač', 'MK'],
  ['Tomáš Říha', 'TŘ'],
  ['Anna Maria van der Berg', 'AB'],
  ['  Šimon  ', 'Š'],
  ['ingrid solheim', 'IS'],
  ['𝒜nna', '𝒜'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('the tint of a name is one of six and always the same', () => {
  const names = Array.from({ length: 60 }, (_, index) => `Sailor ${index}`);
  expect(names.map(tintOf)).toEqual(names.map(tintOf));
  expect(new Set(names.map(tintOf))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
