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

/** The groups of the filter, with their types. */
const GROUPS = {
  crew: ['like', 'comment', 'follow'],
  events: ['event', 'race'],
  boats: ['marketplace'],
  other: ['system', 'other'],
} as const satisfies Record<string, readonly Notification['type'][]>;

export type NotificationGroup = keyof typeof GROUPS;

export const NOTIFICATION_GROUPS = Object.keys(GROUPS) as NotificationGroup[];

/** Return the notifications of a group. */
export function ofGroup(
  notifications: readonly Notification[],
  group: NotificationGroup,
): readonly Notification[] {
  const types: readonly Notification['type'][] = GROUPS[group];
  return notifications.filter(({ type }) => types.includes(type));
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
