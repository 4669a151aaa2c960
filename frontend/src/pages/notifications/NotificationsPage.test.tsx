import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { forgetReading } from '../../notifications/useNotificationSet';
import { renderInSite } from '../../test/render';
import { NotificationList } from './NotificationList';
import { NotificationsPage } from './NotificationsPage';
import { SAMPLE_NOTIFICATIONS } from './sampleNotifications';

beforeEach(forgetReading);

const entries = () => within(screen.getByRole('main')).getAllByRole('listitem');
const entry = (title: string) => {
  const found = entries().find((item) => within(item).queryByRole('heading', { name: title }));
  if (!found) throw new Error(`There is no entry ${title}`);
  return found;
};
const count = () => within(screen.getByRole('main')).getByRole('status');
const readButtons = () => screen.queryAllByRole('button', { name: /^(Mark as read|Označit jako přečtené)$/ });
const readAll = () => screen.queryByRole('button', { name: 'Mark all as read' });

test('the sample has each of the eight types, with a sign and a name of its own', () => {
  renderInSite(<NotificationsPage />);
  expect(entries().map((item) => item.dataset.type)).toEqual([
    'like',
    'comment',
    'follow',
    'event',
    'race',
    'marketplace',
    'system',
    'other',
  ]);
  const signs = entries().map((item) => item.querySelector('svg')?.innerHTML);
  expect(new Set(signs).size).toBe(8);
});

test('an entry has its title, message, type and time', () => {
  renderInSite(<NotificationsPage />, { language: 'cs' });
  const first = entry('New comment');
  for (const words of ['Sarah commented on your logbook entry.', 'Komentář', '1 hour ago']) {
    expect(first).toHaveTextContent(words);
  }
});

test('the sample is English in every language, and says so', () => {
  renderInSite(<NotificationsPage />, { language: 'cs' });
  for (const words of ['New like', 'Marco liked your post about the crossing to Vis.', '2 minutes ago']) {
    expect(screen.getByText(words)).toHaveAttribute('lang', 'en');
  }
});

test("the header says 'N unread notifications', and each of them has a dot", () => {
  renderInSite(<NotificationsPage />);
  expect(count()).toHaveTextContent(/^3 unread notifications$/);
  expect(screen.getAllByText('Unread')).toHaveLength(3);
});

test('marking one read takes its dot and lowers the count; the focus stays at the entry', async () => {
  const { user } = renderInSite(<NotificationsPage />);
  await user.click(within(entry('New comment')).getByRole('button', { name: 'Mark as read' }));
  expect(count()).toHaveTextContent(/^2 unread notifications$/);
  expect(within(entry('New comment')).queryByText('Unread')).not.toBeInTheDocument();
  expect(within(entry('New comment')).queryByRole('button')).not.toBeInTheDocument();
  expect(entry('New comment')).toHaveFocus();
  await user.tab();
  expect(within(entry('New follower')).getByRole('button')).toHaveFocus();
});

test("when the last one is read it says 'All caught up!', and 'Mark all as read' goes", async () => {
  const { user } = renderInSite(<NotificationsPage />);
  for (const left of [2, 1, 0]) {
    const [next] = readButtons();
    if (!next) throw new Error('There is nothing left to read');
    await user.click(next);
    expect(readButtons()).toHaveLength(left);
    if (left === 1) expect(count()).toHaveTextContent(/^1 unread notification$/);
  }
  expect(count()).toHaveTextContent(/^All caught up!$/);
  expect(readAll()).not.toBeInTheDocument();
});

test("'Mark all as read' reads them all at once; the focus goes to the heading", async () => {
  const { user } = renderInSite(<NotificationsPage />);
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(count()).toHaveTextContent(/^All caught up!$/);
  expect(readButtons()).toEqual([]);
  expect(readAll()).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test("'Load older notifications' says when it opens", async () => {
  const { user } = renderInSite(<NotificationsPage />);
  await user.click(screen.getByRole('button', { name: 'Load older notifications' }));
  expect(await screen.findByText('This opens when the community launches in 2025.')).toBeVisible();
});

describe('the count in Czech', () => {
  test.each([
    [0, 'Máte přečteno!'],
    [1, '1 nepřečtené oznámení'],
    [2, '2 nepřečtená oznámení'],
    [3, '3 nepřečtená oznámení'],
  ])('of %i is %j', async (unread, words) => {
    const { user } = renderInSite(<NotificationsPage />, { language: 'cs' });
    for (const button of readButtons().slice(unread)) await user.click(button);
    expect(count()).toHaveTextContent(words);
  });
});

test('without any there is the empty text, and nothing to load', () => {
  renderInSite(<NotificationList notifications={[]} onRead={vi.fn()} />);
  expect(
    screen.getByText('No notifications yet. Start sailing and connecting with the community!'),
  ).toBeVisible();
  expect(screen.queryByRole('list')).not.toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

test('the entries of the sample are each known by an id of their own', () => {
  expect(new Set(SAMPLE_NOTIFICATIONS.map(({ id }) => id)).size).toBe(SAMPLE_NOTIFICATIONS.length);
});
