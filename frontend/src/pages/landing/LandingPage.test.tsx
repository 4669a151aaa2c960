import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { watchButtons } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import { signedIn } from '../../test/session';
import LandingPage from './LandingPage';

test.each([
  ['Get Early Access', '/signup', 'early_access'],
  ['Join the Crew', '/signup', 'join'],
  ['Sign In', '/signin', 'sign_in'],
])('visitors see %j, which leads to %s', async (name, address, tracked) => {
  const pressed = watchButtons();
  const { user, path } = renderInSite(<LandingPage />);
  expect(screen.queryByRole('link', { name: 'Open Your Dashboard' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name }));
  expect(path()).toBe(address);
  expect(pressed).toEqual([tracked]);
});

test('members are offered their dashboard twice instead', async () => {
  const pressed = watchButtons();
  const { user, path } = renderInSite(<LandingPage />, { session: signedIn() });
  expect(screen.queryByRole('link', { name: /Early Access|Join the Crew|Sign In/ })).not.toBeInTheDocument();
  const buttons = screen.getAllByRole('link', { name: 'Open Your Dashboard' });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[0] ?? document.body);
  expect(path()).toBe('/dashboard');
  expect(pressed).toEqual(['open_dashboard']);
});
