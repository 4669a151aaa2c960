import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { renderInSite } from '../../test/render';
import { getSample } from '../../test/sample';
import { ANNA, signedIn } from '../../test/session';
import { LazyMemberControls } from '../../shell/Account';
import { NavBar } from '../../shell/NavBar';
import { clearReadNotifications, type Notification, useNotificationSet } from './notification';

beforeAll(() => LazyMemberControls.preload('required'));
beforeEach(clearReadNotifications);

const SET = getSample('sample-notifications') as readonly Notification[];

function Screen() {
  const { notifications, unread, markRead, markAllRead } = useNotificationSet(SET);
  return (
    <main>
      <output>{unread}</output>
      {notifications.map(({ id, isRead }) => (
        <button key={id} aria-pressed={isRead} onClick={() => markRead(id)}>
          {id}
        </button>
      ))}
      <button onClick={markAllRead}>all</button>
    </main>
  );
}

function show(session = signedIn()) {
  return renderInSite(
    <>
      <NavBar menu="" />
      <Screen />
    </>,
    { session },
  );
}

const unread = () => screen.getByRole('status');
const bell = () => within(screen.getByRole('banner')).getByRole('link', { name: /^Notifications/ });
const press = (user: ReturnType<typeof show>['user'], name: string) =>
  user.click(within(screen.getByRole('main')).getByRole('button', { name }));

test('the sample has three unread notifications: a like, a comment and a follower', () => {
  expect(SET.filter(({ isRead }) => !isRead).map(({ type }) => type)).toEqual(['like', 'comment', 'follow']);
});

test("the bar's badge moves as entries are read", async () => {
  const { user } = show();
  expect(bell()).toHaveAccessibleName('Notifications, 3 unread');
  await press(user, 'comment-logbook');
  expect(unread()).toHaveTextContent('2');
  expect(bell()).toHaveAccessibleName('Notifications, 2 unread');
  await press(user, 'like-vis');
  expect(unread()).toHaveTextContent('1');
  expect(bell()).toHaveAccessibleName('Notifications, 1 unread');
});

test('read notifications stay read on the next page', async () => {
  const { user, unmount } = show();
  await press(user, 'like-vis');
  unmount();
  show();
  expect(unread()).toHaveTextContent('2');
});

test('another member starts with unread notifications', async () => {
  const { user, unmount } = show();
  await press(user, 'all');
  unmount();
  const next = show(signedIn({ user: { ...ANNA, id: '8' } }));
  expect(unread()).toHaveTextContent('3');
  await press(next.user, 'like-vis');
  expect(unread()).toHaveTextContent('2');
});
