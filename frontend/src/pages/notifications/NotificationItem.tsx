import { useId, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Notification } from '../../notifications/notification';
import { Icon } from '../../ui/Icon';
import * as styles from './NotificationItem.module.css';
import { TYPE_ICONS, TYPE_LABELS } from './types';

interface NotificationItemProps {
  notification: Notification;
  onRead: (id: string) => void;
}

/** One notification; an unread one has a dot, and is marked read by a press anywhere on it. */
export function NotificationItem({ notification, onRead }: NotificationItemProps) {
  const { id, type, title, message, time, isRead } = notification;
  const item = useRef<HTMLLIElement>(null);
  const titleId = useId();

  function read() {
    // The button that has the focus goes; a keyboard's user goes on from here.
    item.current?.focus();
    onRead(id);
  }

  return (
    <li ref={item} tabIndex={-1} className={styles.item} data-type={type} data-unread={!isRead}>
      <span className={styles.sign}>
        <Icon of={TYPE_ICONS[type]} size={22} />
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
            <FormattedMessage id={TYPE_LABELS[type]} />
          </span>
          <span lang="en">{time}</span>
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
