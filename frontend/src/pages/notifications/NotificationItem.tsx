import {
  Anchor,
  Bell,
  CalendarDays,
  Flag,
  Heart,
  type IconNode,
  MessageCircle,
  Sailboat,
  UserPlus,
} from 'lucide';
import { useId, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import type { Notification } from '../../notifications/notification';
import { Icon } from '../../ui/Icon';
import { RelativeTime } from '../../ui/RelativeTime';
import * as styles from './NotificationItem.module.css';

const TYPES: Record<Notification['type'], { label: MessageId; icon: IconNode }> = {
  like: { label: 'notifications.like', icon: Heart },
  comment: { label: 'notifications.comment', icon: MessageCircle },
  follow: { label: 'notifications.follow', icon: UserPlus },
  event: { label: 'notifications.event', icon: CalendarDays },
  race: { label: 'notifications.race', icon: Flag },
  marketplace: { label: 'notifications.marketplace', icon: Sailboat },
  system: { label: 'notifications.system', icon: Anchor },
  other: { label: 'notifications.other', icon: Bell },
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

  function read() {
    // The focused button disappears; keyboard users continue from the item.
    item.current?.focus();
    onRead(id);
  }

  return (
    <li ref={item} tabIndex={-1} className={styles.item} data-type={type} data-unread={!isRead}>
      <span className={styles.sign}>
        <Icon of={TYPES[type].icon} size={22} />
      </span>
      <div className={styles.words}>
        <h2 id={titleId} className={styles.title} lang="en">
          {title}
        </h2>
        <p className={styles.message} lang="en">
          {message}
        </p>
        <p className={styles.about}>
          <span className={styles.type}>
            <FormattedMessage id={TYPES[type].label} />
          </span>
          <RelativeTime dateTime={createdAt} />
        </p>
        {!isRead && (
          <button type="button" className={styles.read} aria-describedby={titleId} onClick={read}>
            <FormattedMessage id="notifications.markRead" />
          </button>
        )}
      </div>
      {!isRead && (
        <span className={styles.dot}>
          <span className="visually-hidden">
            <FormattedMessage id="notifications.unread" />
          </span>
        </span>
      )}
    </li>
  );
}
