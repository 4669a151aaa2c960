import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import * as notificationsQuery from '../../features/notifications/data/useNotificationsQuery';
import { clearReadNotifications } from '../../features/notifications/notification';
import { createSampleResult } from '../../lib/query';
import { renderInSite } from '../../test/render';
import NotificationsPage from './NotificationsPage';

beforeEach(clearReadNotifications);

const show = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(
    <main>
      <NotificationsPage />
    </main>,
    options,
  );

const main = () => within(screen.getByRole('main'));
const items = () => main().getAllByRole('listitem');
const item = (title: string) => {
  const found = items().find((candidate) => within(candidate).queryByRole('heading', { name: title }));
  if (!found) throw new Error(`No notification ${title}`);
  return found;
};
const count = () => main().getByRole('status');
const readButtons = () => screen.queryAllByRole('button', { name: /^(Mark as read|Označit jako přečtené)$/ });
const readAll = () => screen.queryByRole('button', { name: 'Mark all as read' });

test('each of the eight types has its own icon', () => {
  show();
  expect(items().map(({ dataset }) => dataset.type)).toEqual([
    'like',
    'comment',
    'follow',
    'event',
    'race',
    'marketplace',
    'system',
    'other',
  ]);
  expect(new Set(items().map((entry) => entry.querySelector('svg')?.innerHTML)).size).toBe(8);
});

test('a Czech notification has a Czech text and time', () => {
  show({ language: 'cs' });
  const notification = within(item('Nový komentář'));
  expect(notification.getByText('Sarah okomentovala váš zápis v deníku.')).toBeVisible();
  expect(notification.getByText('před 1 hodinou')).toBeVisible();
});

test('unread notifications are counted and have a dot', () => {
  show();
  expect(count()).toHaveTextContent(/^3 unread notifications$/);
  expect(screen.getAllByText('Unread')).toHaveLength(3);
});

test('marking one as read removes its dot, lowers the count and keeps the focus on it', async () => {
  const { user } = show();
  await user.click(within(item('New comment')).getByRole('button', { name: 'Mark as read' }));
  expect(count()).toHaveTextContent(/^2 unread notifications$/);
  expect(within(item('New comment')).queryByText('Unread')).not.toBeInTheDocument();
  expect(within(item('New comment')).queryByRole('button')).not.toBeInTheDocument();
  expect(item('New comment')).toHaveFocus();
  await user.tab();
  expect(within(item('New follower')).getByRole('button')).toHaveFocus();
});

test("'Mark all as read' reads them all, disappears and moves the focus to the heading", async () => {
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(count()).toHaveTextContent(/^All caught up!$/);
  expect(readButtons()).toEqual([]);
  expect(readAll()).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test("'Load older notifications' announces the launch", async () => {
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Load older notifications' }));
  expect(await screen.findByText('This opens when the community launches.')).toBeVisible();
});

test.each([
  ['en', ['3 unread notifications', '2 unread notifications', '1 unread notification', 'All caught up!']],
  ['cs', ['3 nepřečtená', '2 nepřečtená', '1 nepřečtené', 'Máte přečteno!']],
] as const)('the count uses plurals down to zero (%s)', async (language, texts) => {
  const { user } = show({ language });
  for (const text of texts) {
    expect(count()).toHaveTextContent(text);
    const [next] = readButtons();
    if (next) await user.click(next);
  }
  expect(readAll()).not.toBeInTheDocument();
});

test('without notifications the empty text shows, and nothing to load', () => {
  vi.spyOn(notificationsQuery, 'useNotificationsQuery').mockReturnValue(createSampleResult([]));
  show();
  expect(
    screen.getByText('No notifications yet. Start sailing and connecting with the community!'),
  ).toBeVisible();
  expect(main().queryByRole('list')).not.toBeInTheDocument();
  expect(main().queryByRole('button')).not.toBeInTheDocument();
});
