import { expect, test } from 'vitest';

import { countUnread, type Notification, applyReadIds } from './notification';

const notification = (id: string, isRead: boolean): Notification => ({
  id,
  type: 'like',
  title: 'New like',
  message: 'Marco liked your post.',
  createdAt: '2026-07-15T12:00:00Z',
  isRead,
});

const FOUR = [
  notification('a', false),
  notification('b', false),
  notification('c', false),
  notification('d', true),
];

const unreadAfter = (...ids: string[]) => countUnread(applyReadIds(FOUR, new Set(ids)));

test('marks one notification as read and keeps the others', () => {
  expect(applyReadIds(FOUR, new Set(['b'])).map(({ id, isRead }) => [id, isRead])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
    ['d', true],
  ]);
});

test('marking a read or unknown notification keeps the count', () => {
  expect(unreadAfter('d')).toBe(3);
  expect(unreadAfter('no-such')).toBe(3);
});
