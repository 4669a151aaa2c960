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

import { useNotificationsQuery } from '../../features/notifications/data/useNotificationsQuery';
import {
  filterByGroup,
  type Notification,
  NOTIFICATION_GROUPS,
  type NotificationGroup,
  useNotificationSet,
} from '../../features/notifications/notification';
import type { MessageId } from '../../i18n/catalogues';
import { PageTitle } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { createChoiceReader, useUrlState } from '../../lib/router/useUrlState';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { FilterChips } from '../../ui/FilterChips';
import { Icon } from '../../ui/Icon';
import { focusHeading } from '../../lib/pageStart';
import { RelativeTime } from '../../ui/RelativeTime';
import * as styles from './NotificationsPage.module.css';

export { AppLayout as Layout } from '../../shell/AppLayout';

const GROUP_LABELS = {
  crew: 'notifications.crew',
  events: 'navigation.events',
  boats: 'notifications.boats',
  other: 'notifications.other',
} as const satisfies Record<NotificationGroup, MessageId>;

/** A blank group is every group. */
const FILTER_READERS = { group: createChoiceReader(NOTIFICATION_GROUPS) };

/** Render `/notifications` (spec section 2, Notifications). */
export default function NotificationsPage() {
  const { formatMessage } = useIntl();
  const query = useNotificationsQuery();
  const { notifications, unread, markRead, markAllRead } = useNotificationSet(query.data ?? []);
  const { state: filter, commit } = useUrlState(FILTER_READERS);

  const groups = NOTIFICATION_GROUPS.map((group) => ({
    group,
    size: filterByGroup(notifications, group).length,
  })).filter(({ size }) => size > 0);
  // The group of a shared link may be empty for this member.
  const group = groups.some((candidate) => candidate.group === filter.group) ? filter.group : '';
  const shown = filterByGroup(notifications, group);

  function readAll() {
    focusHeading(); // the focused button disappears
    markAllRead();
  }

  function chip(value: NotificationGroup | '', label: MessageId, size: number) {
    return {
      value,
      label: (
        <>
          <FormattedMessage id={label} />
          <span className={styles.size}>{size}</span>
        </>
      ),
    };
  }

  return (
    <div className={styles.page}>
      <div className={styles.header}>
        <PageTitle>
          <FormattedMessage id="memberBar.notifications" />
        </PageTitle>
        <div className={styles.summary}>
          <p role="status" className={styles.count}>
            {query.data && (
              <>
                <FormattedMessage id="notifications.count" values={{ count: unread }} />{' '}
                <span className="visually-hidden">
                  {group && <FormattedMessage id="notifications.shown" values={{ count: shown.length }} />}
                </span>
              </>
            )}
          </p>
          {unread > 0 && (
            <Button variant="secondary" className={styles.readAll} onClick={readAll}>
              <Icon icon={CheckCheck} size={20} />
              <FormattedMessage id="notifications.markAllRead" />
            </Button>
          )}
        </div>
      </div>
      {groups.length > 1 && (
        <FilterChips
          label={formatMessage({ id: 'notifications.filter' })}
          isLabelHidden
          scrolls
          chips={[
            chip('', 'notifications.all', notifications.length),
            ...groups.map(({ group: value, size }) => chip(value, GROUP_LABELS[value], size)),
          ]}
          value={group}
          onChange={(value) => commit({ group: value }, { replace: true })}
          className={styles.groups}
        />
      )}
      <QueryBoundary
        query={query}
        empty={<EmptyState icon={BellOff} title={<FormattedMessage id="notifications.none" />} />}
      >
        {() => <NotificationList notifications={shown} onRead={markRead} />}
      </QueryBoundary>
    </div>
  );
}

interface NotificationListProps {
  notifications: readonly Notification[];
  onRead: (id: string) => void;
}

function NotificationList({ notifications, onRead }: NotificationListProps) {
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
        <FormattedMessage id="notifications.loadOlder" />
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
