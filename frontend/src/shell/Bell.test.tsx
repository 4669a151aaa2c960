import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Bell, DESKTOP_LIMIT, PHONE_LIMIT, UnreadBadge } from './Bell';

const bell = () => screen.getByRole('link');

test('the bell has a badge for phones and one for wide screens', () => {
  renderInSite(<Bell unread={12} />);
  expect([...bell().querySelectorAll('span')].map((badge) => badge.textContent)).toEqual(['9+', '12']);
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

test.each([
  [0, DESKTOP_LIMIT, ''],
  [1, DESKTOP_LIMIT, '1'],
  [99, DESKTOP_LIMIT, '99'],
  [100, DESKTOP_LIMIT, '99+'],
  [0, PHONE_LIMIT, ''],
  [1, PHONE_LIMIT, '1'],
  [9, PHONE_LIMIT, '9'],
  [10, PHONE_LIMIT, '9+'],
])('the count %i with the limit %i shows as "%s"', (count, limit, label) => {
  expect(render(<UnreadBadge count={count} limit={limit} />).container).toHaveTextContent(
    new RegExp(`^${label.replace('+', '\\+')}$`),
  );
});
