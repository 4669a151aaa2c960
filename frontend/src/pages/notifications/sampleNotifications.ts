import type { Notification } from '../../notifications/notification';
import { BAR_NOTIFICATIONS } from '../../notifications/sampleSet';

/** The sample notifications: the bar's three, the newest and the only unread ones, and what was before them. */
export const SAMPLE_NOTIFICATIONS: readonly Notification[] = [
  ...BAR_NOTIFICATIONS,
  {
    id: 'night-navigation',
    type: 'event',
    title: 'New event near you',
    message: 'Night Navigation in Cowes has two seats left. Bring a red torch and your own dividers.',
    time: '6 hours ago',
    isRead: true,
  },
  {
    id: 'race-results',
    type: 'race',
    title: 'Race results are in',
    message: 'You finished 4th of 22 in the Harbour Cup, eleven seconds behind the podium.',
    time: 'Yesterday',
    isRead: true,
  },
  {
    id: 'saved-boat',
    type: 'marketplace',
    title: 'A boat you saved is free again',
    message: 'The week you asked about has opened up on a catamaran in Split.',
    time: 'Yesterday',
    isRead: true,
  },
  {
    id: 'logbook',
    type: 'system',
    title: 'Your logbook is up to date',
    message: 'Three passages and 84 miles were added from your last voyage.',
    time: '2 days ago',
    isRead: true,
  },
  {
    id: 'harbour-guide',
    type: 'other',
    title: 'A note from the harbour',
    message: 'Seven members wrote a guide to quiet anchorages between Šibenik and Vis.',
    time: '4 days ago',
    isRead: true,
  },
];
