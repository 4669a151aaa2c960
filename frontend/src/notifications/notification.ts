/** Something that happened, told to a member (spec section 3, Notification). */
export interface Notification {
  id: string;
  type: 'like' | 'comment' | 'follow' | 'event' | 'race' | 'marketplace' | 'system' | 'other';
  title: string;
  message: string;
  /** ISO 8601. */
  createdAt: string;
  isRead: boolean;
}

/** How many of the notifications are unread. */
export function countUnread(notifications: readonly Notification[]): number {
  return notifications.filter(({ isRead }) => !isRead).length;
}

/**
 * The notifications after some of them have been read (spec section 4): the count of the unread goes down by one for
 * each that was unread, and no further.
 */
export function withRead(
  notifications: readonly Notification[],
  readIds: ReadonlySet<string>,
): readonly Notification[] {
  return notifications.map((notification) =>
    readIds.has(notification.id) ? { ...notification, isRead: true } : notification,
  );
}
