import type { Notification } from '../notification';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Return sample notifications of each type, newest first; the first three are unread (spec section 2). */
export function sampleNotifications(now: Date): readonly Notification[] {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  return [
    {
      id: 'like-vis',
      type: 'like',
      title: 'New like',
      message: 'Marco liked your post about the crossing to Vis.',
      createdAt: before(2 * MINUTE_MS),
      isRead: false,
    },
    {
      id: 'comment-logbook',
      type: 'comment',
      title: 'New comment',
      message: 'Sarah commented on your logbook entry.',
      createdAt: before(HOUR_MS),
      isRead: false,
    },
    {
      id: 'follow-petra',
      type: 'follow',
      title: 'New follower',
      message: 'Petra started following you.',
      createdAt: before(3 * HOUR_MS),
      isRead: false,
    },
    {
      id: 'night-navigation',
      type: 'event',
      title: 'New event near you',
      message: 'Night Navigation in Cowes has two seats left. Bring a red torch and your own dividers.',
      createdAt: before(6 * HOUR_MS),
      isRead: true,
    },
    {
      id: 'race-results',
      type: 'race',
      title: 'Race results are in',
      message: 'You finished 4th of 22 in the Harbour Cup, eleven seconds behind the podium.',
      createdAt: before(DAY_MS),
      isRead: true,
    },
    {
      id: 'saved-boat',
      type: 'marketplace',
      title: 'A boat you saved is free again',
      message: 'The week you asked about has opened up on a catamaran in Split.',
      createdAt: before(DAY_MS),
      isRead: true,
    },
    {
      id: 'logbook',
      type: 'system',
      title: 'Your logbook is up to date',
      message: 'Three passages and 84 miles were added from your last voyage.',
      createdAt: before(2 * DAY_MS),
      isRead: true,
    },
    {
      id: 'harbour-guide',
      type: 'other',
      title: 'A note from the harbour',
      message: 'Seven members wrote a guide to quiet anchorages between Šibenik and Vis.',
      createdAt: before(4 * DAY_MS),
      isRead: true,
    },
  ];
}
