import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import * as notificationsQuery from '../../features/notifications/data/useNotificationsQuery';
import { clearReadNotifications } from '../../features/notifications/notification';
import { createSampleResult } from '../../lib/query';
import { renderInSite } from '../../test/render';
import NotificationsPage from './NotificationsPage';

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

test('marking one as read removes its dot and keeps the focus on it', async () => {
  const { user } = show();
  expect(screen.getAllByText('Unread')).toHaveLength(3);
  await user.click(item('New comment').getByRole('button', { name: 'Mark as read' }));
  expect(item('New comment').queryByText('Unread')).not.toBeInTheDocument();
  expect(item('New comment').queryByRole('button')).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'New comment' }).closest('li')).toHaveFocus();
});

test("'Mark all as read' reads them all, disappears and moves the focus to the heading", async () => {
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(count()).toHaveTextContent(/^All caught up!$/);
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(screen.getByRole('button')); // Load older notifications
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
