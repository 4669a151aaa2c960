import { clsx } from 'clsx';
import {
  Anchor,
  Bell,
  BellOff,
  CalendarDays,
  CheckCheck,
  Flag,
  Heart,
  type IconNode,
  MailOpen,
  MessageCircle,
  Sailboat,
  UserPlus,
} from 'lucide';
import { useId, useRef } from 'react';

import { Text, useT } from '../../i18n/LanguageProvider';
import { useNotificationsQuery } from '../../features/notifications/data/useNotificationsQuery';
import { type Notification, useNotificationSet } from '../../features/notifications/notification';
import { PageHeading } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { StateCard } from '../../ui/StateCard';
import { Icon, IconDisc } from '../../ui/Icon';
import { focusHeading } from '../../lib/pageStart';
import { RelativeTime } from '../../ui/RelativeTime';
import * as styles from './NotificationsPage.module.css';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Render `/notifications` (spec section 2, Notifications). */
export default function NotificationsPage() {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const query = useNotificationsQuery();
  const { notifications, unread, markRead, markAllRead } = useNotificationSet(query.data ?? []);

  function readAll() {
    focusHeading(); // the focused button disappears
    markAllRead();
  }

  return (
    <div className={styles.page}>
      <PageHeading
        title={t('memberBar.notifications')}
        lead={<span role="status">{query.data && t('notifications.count', { count: unread })}</span>}
      >
        {unread > 0 && (
          <Button variant="secondary" className={styles.readAll} onClick={readAll}>
            <Icon icon={CheckCheck} size={20} />
            <Text>{t('notifications.markAllRead')}</Text>
          </Button>
        )}
      </PageHeading>
      <QueryBoundary query={query} empty={<StateCard icon={BellOff} title={t('notifications.none')} />}>
        {() => (
          <>
            <Card className={styles.sheet}>
              <ul>
                {notifications.map((notification) => (
                  <NotificationItem key={notification.id} notification={notification} onRead={markRead} />
                ))}
              </ul>
            </Card>
            <Button variant="ghost" className={styles.older} onClick={opensAtLaunch}>
              {t('notifications.loadOlder')}
            </Button>
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

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
function NotificationItem({ notification, onRead }: NotificationItemProps) {
  const t = useT();
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
      <span className={styles.icon}>
        <IconDisc icon={ICONS[type]} />
        {!isRead && (
          <span className={styles.dot}>
            <span className="visually-hidden">{t('notifications.unread')}</span>
          </span>
        )}
      </span>
      <h2 id={titleId} className="label">
        {title}
      </h2>
      <p className={clsx('muted capital', styles.time)}>
        <RelativeTime dateTime={createdAt} />
      </p>
      <p className={styles.message}>{message}</p>
      {!isRead && (
        <button
          type="button"
          className={styles.read}
          aria-label={t('notifications.markRead')}
          aria-describedby={titleId}
          onClick={read}
        >
          <Icon icon={MailOpen} size={20} />
          <span>{t('notifications.markRead')}</span>
        </button>
      )}
    </li>
  );
}
