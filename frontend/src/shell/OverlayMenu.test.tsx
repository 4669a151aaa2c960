import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';

import { trackedEvents } from '../test/analytics';
import { renderInSite } from '../test/render';
import { signedIn, signedOut } from '../test/session';
import { LazyMemberControls } from './Account';
import { OverlayMenu } from './OverlayMenu';

beforeAll(async () => {
  await LazyMemberControls.preload('required');
});

test.each([
  ['visitors', signedOut(), ['Sign In /signin', 'Join the Crew /signup']],
  ['members without their controls', signedOut({ status: 'unreachable' }), ['Dashboard /dashboard']],
  [
    'members',
    signedIn(),
    [
      'Dashboard /dashboard',
      'Notifications, 3 unreadNotifications3 /notifications',
      'Profile /profile',
      'Sign Out ',
    ],
  ],
])('the foot of the menu leads %s on', async (_, session, items) => {
  const { user } = renderInSite(<OverlayMenu />, { session });
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const foot = within(screen.getAllByRole('list').at(-1) ?? document.body).getAllByRole('listitem');
  const addresses = foot.map((item) => item.querySelector('a')?.getAttribute('href') ?? '');
  expect(foot.map((item, index) => `${item.textContent} ${addresses[index]}`)).toEqual(items);
});

test('choosing an item is not counted as closing the menu', async () => {
  const { user } = renderInSite(<OverlayMenu />, { session: signedOut() });
  const open = () => user.click(screen.getByRole('button', { name: 'Menu' }));
  await open();
  await user.click(screen.getByRole('link', { name: 'Companies' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await open();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  const actions = trackedEvents().flatMap(([name, values]) => (name === 'menu_interaction' ? [values] : []));
  const menu = 'overlay';
  expect(actions).toEqual([
    { menu, action: 'open' },
    { menu, action: 'choose', item: '/landing-companies' },
    { menu, action: 'open' },
    { menu, action: 'close' },
  ]);
});
