import type { MessageId } from '../../../i18n/catalogues';
import type { Notification } from '../notification';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Return sample notifications of each type, newest first; the first three are unread (spec section 2).
 *
 * @param now the time of the visit; the notifications are up to four days old
 * @param translate return a message in the language of the page
 */
export function createSampleNotifications(
  now: Date,
  translate: (id: MessageId) => string,
): readonly Notification[] {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  return [
    {
      id: 'like-vis',
      type: 'like',
      title: translate('sampleNotifications.like'),
      message: translate('sampleNotifications.likeText'),
      createdAt: before(2 * MINUTE_MS),
      isRead: false,
    },
    {
      id: 'comment-logbook',
      type: 'comment',
      title: translate('sampleNotifications.comment'),
      message: translate('sampleNotifications.commentText'),
      createdAt: before(HOUR_MS),
      isRead: false,
    },
    {
      id: 'follow-petra',
      type: 'follow',
      title: translate('sampleNotifications.follow'),
      message: translate('sampleNotifications.followText'),
      createdAt: before(3 * HOUR_MS),
      isRead: false,
    },
    {
      id: 'night-navigation',
      type: 'event',
      title: translate('sampleNotifications.event'),
      message: translate('sampleNotifications.eventText'),
      createdAt: before(6 * HOUR_MS),
      isRead: true,
    },
    {
      id: 'race-results',
      type: 'race',
      title: translate('sampleNotifications.race'),
      message: translate('sampleNotifications.raceText'),
      createdAt: before(DAY_MS),
      isRead: true,
    },
    {
      id: 'saved-boat',
      type: 'marketplace',
      title: translate('sampleNotifications.boat'),
      message: translate('sampleNotifications.boatText'),
      createdAt: before(DAY_MS),
      isRead: true,
    },
    {
      id: 'logbook',
      type: 'system',
      title: translate('sampleNotifications.logbook'),
      message: translate('sampleNotifications.logbookText'),
      createdAt: before(2 * DAY_MS),
      isRead: true,
    },
    {
      id: 'anchorage-guide',
      type: 'other',
      title: translate('sampleNotifications.note'),
      message: translate('sampleNotifications.noteText'),
      createdAt: before(4 * DAY_MS),
      isRead: true,
    },
  ];
}
