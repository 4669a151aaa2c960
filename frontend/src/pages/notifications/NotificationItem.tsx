import {
  Anchor,
  Bell,
  CalendarDays,
  Flag,
  Heart,
  type IconNode,
  MailOpen,
  MessageCircle,
  Sailboat,
  UserPlus,
} from 'lucide';
import { useId, useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Notification } from '../../features/notifications/notification';
import { Icon } from '../../ui/Icon';
import { RelativeTime } from '../../ui/RelativeTime';
import * as styles from './NotificationItem.module.css';

const ICONS: Record<Notification['type'], IconNode> = {
  like: Heart,
  comment: MessageCircle,
  follow: UserPlus,
  event: CalendarDays,
  race: Flag,
  marketplace: Sailboat,
  system: Anchor,
  other: Bell,
};

interface NotificationItemProps {
  notification: Notification;
  onRead: (id: string) => void;
}

/** Render a notification; an unread one has a dot, and a press anywhere on it marks it as read. */
export function NotificationItem({ notification, onRead }: NotificationItemProps) {
  const { id, type, title, message, createdAt, isRead } = notification;
  const item = useRef<HTMLLIElement>(null);
  const titleId = useId();
  const markRead = useIntl().formatMessage({ id: 'notifications.markRead' });

  function read() {
    // The focused button disappears; keyboard users continue from the item.
    item.current?.focus();
    onRead(id);
  }

  return (
    <li ref={item} tabIndex={-1} className={styles.item} data-type={type} data-unread={!isRead}>
      <span className={styles.icon}>
        <Icon icon={ICONS[type]} size={22} />
        {!isRead && (
          <span className={styles.dot}>
            <span className="visually-hidden">
              <FormattedMessage id="notifications.unread" />
            </span>
          </span>
        )}
      </span>
      <div className={styles.text}>
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <RelativeTime dateTime={createdAt} />
        </div>
        <p className={styles.message}>{message}</p>
      </div>
      {!isRead && (
        <button
          type="button"
          className={styles.read}
          aria-label={markRead}
          aria-describedby={titleId}
          onClick={read}
        >
          <Icon icon={MailOpen} size={20} />
          <span className={styles.readLabel}>{markRead}</span>
        </button>
      )}
    </li>
  );
}
