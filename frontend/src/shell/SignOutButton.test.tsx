import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { type Notification, useNotificationSet } from '../features/notifications/notification';
import { getSample } from '../test/catalogues';
import { later } from '../test/graphql';
import { renderInSite } from '../test/render';
import { signedIn } from '../test/session';
import { SignOutButton } from './SignOutButton';

const button = () => screen.getByRole('button', { name: 'Sign Out' });

test('two presses sign out once, go to / and show an alert', async () => {
  const { answer, send } = later<undefined>();
  const signOut = vi.fn(() => answer);
  const session = signedIn({ signOut });
  const { user, path } = renderInSite(<SignOutButton />, { session, history: ['/academy'] });
  await user.dblClick(button());
  expect(path()).toBe('/academy');
  expect(await screen.findByText('Signing out...')).toBeVisible();
  send(undefined);
  await waitFor(() => expect(path()).toBe('/'));
  expect(signOut).toHaveBeenCalledOnce();
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Signed out successfully! Safe sailing!$/);
});

test('a failure shows an alert and stays on the page; signing out then clears the read notifications', async () => {
  const notifications = getSample('sample-notifications') as readonly Notification[];
  function Page() {
    const { unread, markAllRead } = useNotificationSet(notifications);
    return (
      <>
        <SignOutButton />
        <button onClick={markAllRead}>{`${unread} unread`}</button>
      </>
    );
  }
  const signOut = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('Unavailable'));
  const session = signedIn({ signOut });
  const { user, path } = renderInSite(<Page />, { session, history: ['/academy'] });
  await user.click(screen.getByRole('button', { name: '3 unread' }));
  await user.click(button());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Logout failed\. Please try again\.$/);
  expect(path()).toBe('/academy');
  expect(screen.getByRole('button', { name: '0 unread' })).toBeVisible();
  signOut.mockResolvedValue();
  await user.click(button());
  expect(await screen.findByRole('button', { name: '3 unread' })).toBeVisible();
  await screen.findByText('Signed out successfully! Safe sailing!');
});
