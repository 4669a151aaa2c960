import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { type Notification, useNotificationSet } from '../features/notifications/notification';
import { getSample } from '../test/catalogues';
import { renderInSite } from '../test/render';
import { signedIn } from '../test/session';
import { SignOutButton } from './SignOutButton';

function show(signOut: () => Promise<void>) {
  return renderInSite(<SignOutButton />, { session: signedIn({ signOut }), history: ['/academy'] });
}

const button = () => screen.getByRole('button', { name: 'Sign Out' });

test('two presses sign out once, go to / and show an alert', async () => {
  let resolve: () => void = () => undefined;
  const signOut = vi.fn(() => new Promise<void>((settle) => (resolve = settle)));
  const { user, path } = show(signOut);
  await user.dblClick(button());
  expect(path()).toBe('/academy');
  expect(await screen.findByText('Signing out...')).toBeVisible();
  resolve();
  await waitFor(() => expect(path()).toBe('/'));
  expect(signOut).toHaveBeenCalledOnce();
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Signed out successfully! Safe sailing!$/);
});

test('a failure shows an alert, stays on the page and can be tried again', async () => {
  const signOut = vi.fn(() => Promise.reject(new Error('Unavailable')));
  const { user, path } = show(signOut);
  await user.click(button());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Logout failed\. Please try again\.$/);
  expect(path()).toBe('/academy');
  await user.click(button());
  expect(signOut).toHaveBeenCalledTimes(2);
});

test('signing out clears the read notifications, a failure does not', async () => {
  const notifications = getSample('sample-notifications') as readonly Notification[];
  function Reader() {
    const { unread, markAllRead } = useNotificationSet(notifications);
    return <button onClick={markAllRead}>{`${unread} unread`}</button>;
  }
  const signOut = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('Unavailable'));
  const { user } = renderInSite(
    <>
      <SignOutButton />
      <Reader />
    </>,
    { session: signedIn({ signOut }) },
  );
  await user.click(screen.getByRole('button', { name: '3 unread' }));
  await user.click(button());
  await screen.findByRole('alert');
  expect(screen.getByRole('button', { name: '0 unread' })).toBeVisible();
  signOut.mockResolvedValue();
  await user.click(button());
  expect(await screen.findByRole('button', { name: '3 unread' })).toBeVisible();
  await screen.findByText('Signed out successfully! Safe sailing!');
});
