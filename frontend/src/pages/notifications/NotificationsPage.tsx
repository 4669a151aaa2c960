import { BellOff, CheckCheck } from 'lucide';
import { useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { useNotificationsQuery } from '../../notifications/data/useNotificationsQuery';
import { NOTIFICATION_GROUPS, type NotificationGroup, ofGroup } from '../../notifications/notification';
import { useNotificationSet } from '../../notifications/useNotificationSet';
import { QueryBoundary } from '../../query/QueryBoundary';
import { PageTitle } from '../../shell/PageTitle';
import { ProfileLayout } from '../../shell/ProfileLayout';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FilterChips } from '../../ui/FilterChips';
import { Icon } from '../../ui/Icon';
import { NotificationList } from './NotificationList';
import * as styles from './NotificationsPage.module.css';

/** Render `/notifications` (spec section 2, Notifications). */
export default function NotificationsPage() {
  const { formatMessage } = useIntl();
  const query = useNotificationsQuery();
  const { notifications, unread, markRead, markAllRead } = useNotificationSet(query.data ?? []);
  const groups = NOTIFICATION_GROUPS.filter((name) => ofGroup(notifications, name).length > 0);
  const [group, setGroup] = useState<NotificationGroup | ''>('');
  const heading = useRef<HTMLHeadingElement>(null);

  function readAll() {
    // The focused button disappears.
    heading.current?.focus({ preventScroll: true });
    markAllRead();
  }

  return (
    <ProfileLayout>
      <div className={styles.page}>
        <div className={styles.side}>
          <div className={styles.head}>
            <div>
              <PageTitle ref={heading}>
                <FormattedMessage id="notifications.title" />
              </PageTitle>
              <p role="status" className={styles.count}>
                {query.data && <FormattedMessage id="notifications.count" values={{ count: unread }} />}
              </p>
            </div>
            {unread > 0 && (
              <Button variant="secondary" className={styles.readAll} onClick={readAll}>
                <Icon of={CheckCheck} size={20} />
                <FormattedMessage id="notifications.markAllRead" />
              </Button>
            )}
          </div>
          {groups.length > 1 && (
            <FilterChips
              label={formatMessage({ id: 'notifications.filter' })}
              quiet
              chips={[
                { value: '', label: formatMessage({ id: 'notifications.all' }) },
                ...groups.map((name) => ({
                  value: name,
                  label: formatMessage({ id: `notifications.${name}` }),
                })),
              ]}
              value={group}
              onChange={setGroup}
              className={styles.groups}
            />
          )}
        </div>
        <QueryBoundary
          query={query}
          empty={<EmptyState icon={BellOff} title={<FormattedMessage id="notifications.none" />} />}
        >
          {() => (
            <NotificationList
              notifications={group ? ofGroup(notifications, group) : notifications}
              onRead={markRead}
            />
          )}
        </QueryBoundary>
      </div>
    </ProfileLayout>
  );
}
