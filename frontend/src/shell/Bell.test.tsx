import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Bell } from './Bell';

test.each([
  [0, 'Notifications', []],
  [9, 'Notifications, 9 unread', ['9', '9']],
  [10, 'Notifications, 10 unread', ['9+', '10']],
  [99, 'Notifications, 99 unread', ['9+', '99']],
  [100, 'Notifications, 100 unread', ['9+', '99+']],
])('of %i unread, a screen reader hears %j, and the badges for phones and others show %j', (...row) => {
  const [unread, name, badges] = row;
  renderInSite(<Bell unread={unread} />);
  const bell = screen.getByRole('link', { name });
  expect([...bell.querySelectorAll('span')].map((badge) => badge.textContent)).toEqual(badges);
});
