import { screen, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { signedIn, signedOut } from '../test/session';
import { LazyMemberControls } from './Account';
import { OverlayMenu } from './OverlayMenu';

beforeAll(async () => {
  await LazyMemberControls.preload('required');
});

test.each([
  [
    'visitors to Sign In and Join',
    signedOut(),
    [
      ['Sign In', '/signin'],
      ['Join the Crew', '/signup'],
    ],
  ],
  [
    'members without their controls to the dashboard',
    signedOut({ status: 'unreachable' }),
    [['Dashboard', '/dashboard']],
  ],
  [
    'members to their pages and Sign Out',
    signedIn(),
    [
      ['Dashboard', '/dashboard'],
      ['Notifications, 3 unreadNotifications3', '/notifications'],
      ['Profile', '/profile'],
      ['Sign Out', null],
    ],
  ],
])('the foot of the menu leads %s', async (_, session, items) => {
  const { user } = renderInSite(<OverlayMenu />, { session });
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const foot = screen.getAllByRole('list').at(-1) ?? document.body;
  const shown = within(foot).getAllByRole('listitem');
  expect(shown.map((item) => [item.textContent, item.firstElementChild?.getAttribute('href')])).toEqual(
    items,
  );
});
