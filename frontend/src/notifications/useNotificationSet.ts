import { useMemo, useSyncExternalStore } from 'react';

import { useAuth } from '../session/AuthProvider';
import { countUnread, type Notification, withRead } from './notification';

/** What a member has read since the page was loaded. */
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

/** What one member has read leaves everybody else's notifications alone. */
function readBy(memberId: string, { memberId: reader, ids }: Reading): ReadonlySet<string> {
  return reader === memberId ? ids : NOTHING.ids;
}

function change(next: Reading): void {
  reading = next;
  for (const listener of listeners) listener();
}

/** Forgets what has been read, as signing out forgets everything of the member's (spec section 4). */
export function forgetReading(): void {
  change(NOTHING);
}

interface NotificationSet {
  notifications: readonly Notification[];
  /** How many of them are unread. */
  unread: number;
  markRead: (id: string) => void;
  markAllRead: () => void;
}

/**
 * A set of notifications as the member has left it. What is read in one set is read in every other that has it: the
 * bar's badge moves with the screen.
 *
 * @param notifications as they came, the same at every render
 */
export function useNotificationSet(notifications: readonly Notification[]): NotificationSet {
  const memberId = useAuth().user?.id ?? '';
  const current = useSyncExternalStore(
    subscribe,
    () => reading,
    () => NOTHING,
  );
  const ids = readBy(memberId, current);
  const present = useMemo(() => withRead(notifications, ids), [notifications, ids]);
  const mark = (more: readonly string[]) =>
    change({ memberId, ids: new Set([...readBy(memberId, reading), ...more]) });

  return {
    notifications: present,
    unread: countUnread(present),
    markRead: (id) => mark([id]),
    markAllRead: () => mark(notifications.map(({ id }) => id)),
  };
}
