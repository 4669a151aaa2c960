import { expect, test } from 'vitest';

import { badgeLabel, DESKTOP_LIMIT, PHONE_LIMIT } from './unread';

test('the badge is hidden at 0', () => {
  expect(badgeLabel(0, DESKTOP_LIMIT)).toBeUndefined();
  expect(badgeLabel(0, PHONE_LIMIT)).toBeUndefined();
});

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('the badge on wide screens shows %i as %s', (count, label) => {
  expect(badgeLabel(count, DESKTOP_LIMIT)).toBe(label);
});

test.each([
  [1, '1'],
  [9, '9'],
  [10, '9+'],
])('the badge on phones shows %i as %s', (count, label) => {
  expect(badgeLabel(count, PHONE_LIMIT)).toBe(label);
});
