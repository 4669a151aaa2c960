import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import * as notificationsQuery from '../../features/notifications/data/useNotificationsQuery';
import { clearReadNotifications } from '../../features/notifications/notification';
import { createSampleResult } from '../../lib/query';
import { LazyMemberControls } from '../../shell/Account';
import { SiteHeader } from '../../shell/SiteHeader';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn } from '../../test/session';
import NotificationsPage from './NotificationsPage';

beforeAll(() => LazyMemberControls.preload('required'));
beforeEach(clearReadNotifications);

const show = (language: 'en' | 'cs' = 'en') => renderInSite(<NotificationsPage />, { language });
const items = () => screen.getAllByRole('listitem');
const item = (name: string) => {
  const found = screen.getByRole('heading', { name }).closest('li');
  if (!found) throw new Error(`No notification ${name}`);
  return within(found);
};
const count = () => screen.getAllByRole('status')[0];

test('each of the eight types has its own icon', () => {
  show();
  const types = ['like', 'comment', 'follow', 'event', 'race', 'marketplace', 'system', 'other'];
  expect(items().map(({ dataset }) => dataset.type)).toEqual(types);
  expect(new Set(items().map((entry) => entry.querySelector('svg')?.innerHTML)).size).toBe(8);
});

const page = (
  <>
    <SiteHeader variant="app" menu="" />
    <NotificationsPage />
  </>
);
const bell = () => within(screen.getByRole('banner')).getByRole('link', { name: /^Notifications/ });

test('marking one as read keeps the focus on it, and counts in the bar and on the next page of the member', async () => {
  const { user, unmount } = renderInSite(page, { session: signedIn() });
  expect(bell()).toHaveAccessibleName('Notifications, 3 unread');
  await user.click(item('New comment').getByRole('button', { name: 'Mark as read' }));
  expect(item('New comment').queryByText('Unread')).not.toBeInTheDocument();
  expect(item('New comment').queryByRole('button')).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'New comment' }).closest('li')).toHaveFocus();
  expect(bell()).toHaveAccessibleName('Notifications, 2 unread');
  unmount();

  const next = renderInSite(page, { session: signedIn() });
  expect(screen.getAllByText('Unread')).toHaveLength(2);
  next.unmount();

  renderInSite(page, { session: signedIn({ user: { ...ANNA, id: '8' } }) });
  expect(screen.getAllByText('Unread')).toHaveLength(3);
});

test("'Mark all as read' reads them all, disappears and moves the focus to the heading", async () => {
  const { user } = renderInSite(page, { session: signedIn() });
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(count()).toHaveTextContent(/^All caught up!$/);
  expect(bell()).toHaveAccessibleName('Notifications');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  expect(screen.queryByRole('button', { name: /as read$/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Load older notifications' }));
  expect(await screen.findByText('This opens when the community launches.')).toBeVisible();
});

test('Czech notifications have Czech texts, times and plurals', async () => {
  const { user } = show('cs');
  expect(item('Nový komentář').getByText('Sarah okomentovala váš zápis v deníku.')).toBeVisible();
  for (const text of ['3 nepřečtená', '2 nepřečtená', '1 nepřečtené', 'Máte přečteno!']) {
    expect(count()).toHaveTextContent(text);
    const [next] = screen.queryAllByRole('button', { name: 'Označit jako přečtené' });
    if (next) await user.click(next);
  }
});

test('without notifications the empty text shows, and nothing to load', () => {
  vi.spyOn(notificationsQuery, 'useNotificationsQuery').mockReturnValue(createSampleResult([]));
  show();
  expect(screen.getByText(/^No notifications yet\. Start sailing/)).toBeVisible();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
