import { useSyncExternalStore } from 'react';

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

/** What has been read since the page was loaded: the ids of the member and of the notification. */
let readKeys: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setReadKeys(keys: ReadonlySet<string>): void {
  readKeys = keys;
  for (const listener of listeners) listener();
}

/** Clear what has been read, on signing out (spec section 4). */
export function clearReadNotifications(): void {
  setReadKeys(new Set());
}

/** Return notifications with what the member has read. All sets share it, so the badge of the bar follows the page. */
export function useNotificationSet(notifications: readonly Notification[]) {
  const memberId = useAuth().user?.id;
  const keys = useSyncExternalStore(
    subscribe,
    () => readKeys,
    () => readKeys,
  );
  const getKey = (id: string) => `${memberId} ${id}`;
  const present = notifications.map((one) => (keys.has(getKey(one.id)) ? { ...one, isRead: true } : one));
  return {
    notifications: present,
    unread: present.filter(({ isRead }) => !isRead).length,
    markRead: (id: string) => setReadKeys(new Set([...readKeys, getKey(id)])),
    markAllRead: () => setReadKeys(new Set([...readKeys, ...notifications.map(({ id }) => getKey(id))])),
  };
}
