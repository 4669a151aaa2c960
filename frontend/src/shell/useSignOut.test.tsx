import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { signedIn } from '../test/session';
import { sampleNotifications } from '../notifications/data/sampleNotifications';
import { useNotificationSet } from '../notifications/useNotificationSet';
import { useSignOut } from './useSignOut';

function SignOut() {
  const signOut = useSignOut();
  return <button onClick={() => void signOut()}>Sign Out</button>;
}

function show(signOut: () => Promise<void>) {
  return renderInSite(<SignOut />, { session: signedIn({ signOut }), history: ['/academy'] });
}

const button = () => screen.getByRole('button', { name: 'Sign Out' });

test('100 ms after signing out it is said, in an alert', async () => {
  const wait = vi.spyOn(globalThis, 'setTimeout');
  const { user } = show(() => Promise.resolve());
  await user.click(button());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Signed out successfully! Safe sailing!$/);
  expect(wait).toHaveBeenCalledWith(expect.any(Function), 100);
});

test("when signing out fails, the alert 'Logout failed. Please try again.' shows and the member stays", async () => {
  const { user, path } = show(() => Promise.reject(new Error('The server is away')));
  await user.click(button());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Logout failed\. Please try again\.$/);
  expect(path()).toBe('/academy');
});

test('a second press while the first is under way signs out once', async () => {
  let leave: () => void = () => undefined;
  const signOut = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        leave = resolve;
      }),
  );
  const { user, path } = show(signOut);
  await user.dblClick(button());
  leave();
  await waitFor(() => expect(path()).toBe('/'));
  expect(signOut).toHaveBeenCalledOnce();
  await screen.findByRole('alert');
});

test('who failed to sign out can try again', async () => {
  const signOut = vi.fn(() => Promise.reject(new Error('The server is away')));
  const { user } = show(signOut);
  await user.click(button());
  await screen.findByRole('alert');
  await user.click(button());
  expect(signOut).toHaveBeenCalledTimes(2);
});

test('signing out forgets which notifications were read; failing to does not', async () => {
  const notifications = sampleNotifications(new Date());
  function Reader() {
    const { unread, markAllRead } = useNotificationSet(notifications);
    return <button onClick={markAllRead}>{`${unread} unread`}</button>;
  }
  const signOut = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('The server is away'));
  const { user } = renderInSite(
    <>
      <SignOut />
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
