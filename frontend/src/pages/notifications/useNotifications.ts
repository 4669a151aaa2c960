import { useNotificationSet } from '../../notifications/useNotificationSet';
import { SAMPLE_NOTIFICATIONS } from './sampleNotifications';

/** The member's notifications, the newest first: sample data until a server has some. */
export function useNotifications() {
  return useNotificationSet(SAMPLE_NOTIFICATIONS);
}
