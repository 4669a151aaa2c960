import { useMemo, useSyncExternalStore } from 'react';

import { useAuth } from '../../session/AuthProvider';

/** A notification to a member (spec section 3, Notification). */
export interface Notification {
  id: string;
  type: 'like' | 'comment' | 'follow' | 'event' | 'race' | 'marketplace' | 'system' | 'other';
  title: string;
  message: string;
  /** ISO 8601. */
  createdAt: string;
  isRead: boolean;
}

/** Count the unread notifications. */
export function countUnread(notifications: readonly Notification[]): number {
  return notifications.filter(({ isRead }) => !isRead).length;
}

/** Return the notifications with the given ids marked as read (spec section 4). */
export function applyReadIds(
  notifications: readonly Notification[],
  readIds: ReadonlySet<string>,
): readonly Notification[] {
  return notifications.map((notification) =>
    readIds.has(notification.id) ? { ...notification, isRead: true } : notification,
  );
}

/** The notifications that a member has read since the page was loaded. */
interface Reading {
  memberId: string;
  ids: ReadonlySet<string>;
}

const NOTHING: Reading = { memberId: '', ids: new Set() };

let reading = NOTHING;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the ids that a member has read; another member's are ignored. */
function getReadIds(memberId: string, { memberId: reader, ids }: Reading): ReadonlySet<string> {
  return reader === memberId ? ids : NOTHING.ids;
}

function change(next: Reading): void {
  reading = next;
  for (const listener of listeners) listener();
}

/** Clear what has been read, on signing out (spec section 4). */
export function clearReadNotifications(): void {
  change(NOTHING);
}

interface NotificationSet {
  notifications: readonly Notification[];
  unread: number;
  markRead: (id: string) => void;
  markAllRead: () => void;
}

/**
 * Return notifications with what the member has read. All sets share it, so the badge of the bar follows the page.
 *
 * @param notifications must be the same array on every render
 */
export function useNotificationSet(notifications: readonly Notification[]): NotificationSet {
  const memberId = useAuth().user?.id ?? '';
  const current = useSyncExternalStore(
    subscribe,
    () => reading,
    () => NOTHING,
  );
  const ids = getReadIds(memberId, current);
  const present = useMemo(() => applyReadIds(notifications, ids), [notifications, ids]);
  const mark = (more: readonly string[]) =>
    change({ memberId, ids: new Set([...getReadIds(memberId, reading), ...more]) });

  return {
    notifications: present,
    unread: countUnread(present),
    markRead: (id) => mark([id]),
    markAllRead: () => mark(notifications.map(({ id }) => id)),
  };
}
