import type { Notification } from './notification';

/** The bar's notifications: sample data, not fetched (spec section 2, Notifications). */
export const BAR_NOTIFICATIONS: readonly Notification[] = [
  {
    id: 'bar-1',
    type: 'like',
    title: 'New like',
    message: 'Marco liked your post about the crossing to Vis.',
    time: '2 minutes ago',
    isRead: false,
  },
  {
    id: 'bar-2',
    type: 'comment',
    title: 'New comment',
    message: 'Sarah commented on your logbook entry.',
    time: '1 hour ago',
    isRead: false,
  },
  {
    id: 'bar-3',
    type: 'follow',
    title: 'New follower',
    message: 'Petra started following you.',
    time: '3 hours ago',
    isRead: false,
  },
];
