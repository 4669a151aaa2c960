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
import { FormattedMessage, useIntl } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { useNotificationsQuery } from '../../features/notifications/data/useNotificationsQuery';
import { type Notification, useNotificationSet } from '../../features/notifications/notification';
import { PageTitle } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { focusHeading } from '../../lib/pageStart';
import { RelativeTime } from '../../ui/RelativeTime';
import * as styles from './NotificationsPage.module.css';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Render `/notifications` (spec section 2, Notifications). */
export default function NotificationsPage() {
  const t = useT();
  const query = useNotificationsQuery();
  const { notifications, unread, markRead, markAllRead } = useNotificationSet(query.data ?? []);

  function readAll() {
    focusHeading(); // the focused button disappears
    markAllRead();
  }

  return (
    <div className={clsx('stack', styles.page)}>
      <div className={styles.header}>
        <PageTitle>{t('memberBar.notifications')}</PageTitle>
        <div className={styles.summary}>
          <p role="status" className={styles.count}>
            {query.data && <FormattedMessage id="notifications.count" values={{ count: unread }} />}
          </p>
          {unread > 0 && (
            <Button variant="secondary" className={styles.readAll} onClick={readAll}>
              <Icon icon={CheckCheck} size={20} />
              <FormattedMessage id="notifications.markAllRead" />
            </Button>
          )}
        </div>
      </div>
      <QueryBoundary query={query} empty={<EmptyState icon={BellOff} title={t('notifications.none')} />}>
        {() => <NotificationList notifications={notifications} onRead={markRead} />}
      </QueryBoundary>
    </div>
  );
}

interface NotificationListProps {
  notifications: readonly Notification[];
  onRead: (id: string) => void;
}

function NotificationList({ notifications, onRead }: NotificationListProps) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <div className={styles.log}>
      <Card className={styles.sheet}>
        <ul>
          {notifications.map((notification) => (
            <NotificationItem key={notification.id} notification={notification} onRead={onRead} />
          ))}
        </ul>
      </Card>
      <Button variant="ghost" className={styles.older} onClick={opensAtLaunch}>
        {t('notifications.loadOlder')}
      </Button>
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
            <span className="visually-hidden">{t('notifications.unread')}</span>
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
