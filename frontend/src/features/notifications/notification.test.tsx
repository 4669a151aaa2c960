import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { LazyMemberControls } from '../../shell/Account';
import { SiteHeader } from '../../shell/SiteHeader';
import { renderInSite } from '../../test/render';
import { getSample } from '../../test/catalogues';
import { ANNA, signedIn } from '../../test/session';
import { clearReadNotifications, type Notification, useNotificationSet } from './notification';

beforeAll(() => LazyMemberControls.preload('required'));
beforeEach(clearReadNotifications);

const SET = getSample('sample-notifications') as readonly Notification[];

function Screen() {
  const { unread, markRead, markAllRead } = useNotificationSet(SET);
  return (
    <main>
      <output>{unread}</output>
      <button onClick={() => markRead('comment-logbook')}>one</button>
      <button onClick={markAllRead}>all</button>
    </main>
  );
}

function show(session = signedIn()) {
  return renderInSite(
    <>
      <SiteHeader variant="app" menu="" />
      <Screen />
    </>,
    { session },
  );
}

const unread = () => screen.getByRole('status').textContent;
const press = (user: ReturnType<typeof show>['user'], name: string) =>
  user.click(within(screen.getByRole('main')).getByRole('button', { name }));

test('what a member has read counts in the bar and on the next page, and for no other member', async () => {
  const { user, unmount } = show();
  const bell = within(screen.getByRole('banner')).getByRole('link', { name: /^Notifications/ });
  expect(bell).toHaveAccessibleName('Notifications, 3 unread');
  await press(user, 'one');
  await press(user, 'one');
  expect(bell).toHaveAccessibleName('Notifications, 2 unread');
  unmount();

  const next = show();
  expect(unread()).toBe('2');
  await press(next.user, 'all');
  expect(unread()).toBe('0');
  next.unmount();

  show(signedIn({ user: { ...ANNA, id: '8' } }));
  expect(unread()).toBe('3');
});
