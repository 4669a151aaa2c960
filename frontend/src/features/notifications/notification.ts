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

export const NOTIFICATION_GROUPS = ['crew', 'events', 'boats', 'other'] as const;

export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

const GROUP_OF: Record<Notification['type'], NotificationGroup> = {
  like: 'crew',
  comment: 'crew',
  follow: 'crew',
  event: 'events',
  race: 'events',
  marketplace: 'boats',
  system: 'other',
  other: 'other',
};

/** Return the notifications of a group; of every group if it is empty. */
export function filterByGroup(
  notifications: readonly Notification[],
  group: NotificationGroup | '',
): readonly Notification[] {
  return group ? notifications.filter(({ type }) => GROUP_OF[type] === group) : notifications;
}

/** Count the unread notifications. */
export function countUnread(notifications: readonly Notification[]): number {
  return notifications.filter(({ isRead }) => !isRead).length;
}

/** Return the notifications with the given ids marked as read (spec section 4). */
export function withRead(
  notifications: readonly Notification[],
  readIds: ReadonlySet<string>,
): readonly Notification[] {
  return notifications.map((notification) =>
    readIds.has(notification.id) ? { ...notification, isRead: true } : notification,
  );
}
