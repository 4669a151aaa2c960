import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Bell } from './Bell';

const bell = () => screen.getByRole('link');

test.each([
  [0, []],
  [1, ['1', '1']],
  [9, ['9', '9']],
  [10, ['9+', '10']],
  [99, ['9+', '99']],
  [100, ['9+', '99+']],
])('of %i unread, the badges for phones and for wide screens show %j', (unread, badges) => {
  renderInSite(<Bell unread={unread} />);
  expect([...bell().querySelectorAll('span')].map((badge) => badge.textContent)).toEqual(badges);
});

test.each([
  ['en', 1, 'Notifications, 1 unread'],
  ['en', 120, 'Notifications, 120 unread'],
  ['cs', 1, 'Oznámení, 1 nepřečtené'],
  ['cs', 3, 'Oznámení, 3 nepřečtená'],
  ['cs', 5, 'Oznámení, 5 nepřečtených'],
] as const)('a screen reader hears the count (%s, %i)', (language, unread, name) => {
  renderInSite(<Bell unread={unread} />, { language });
  expect(bell()).toHaveAccessibleName(name);
});
