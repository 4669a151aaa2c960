import { CheckCheck } from 'lucide';
import { useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { ProfileLayout } from '../../shell/ProfileLayout';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { NotificationList } from './NotificationList';
import * as styles from './NotificationsPage.module.css';
import { useNotifications } from './useNotifications';

/** `/notifications`: what happened since the member was here (spec section 2, Notifications). */
export function NotificationsPage() {
  const { notifications, unread, markRead, markAllRead } = useNotifications();
  const heading = useRef<HTMLHeadingElement>(null);

  function readAll() {
    // The button that has the focus goes.
    heading.current?.focus({ preventScroll: true });
    markAllRead();
  }

  return (
    <ProfileLayout>
      <div className={styles.columns}>
        <div className={styles.head}>
          <h1 ref={heading} tabIndex={-1} className={styles.title}>
            <FormattedMessage id="notifications.title" />
          </h1>
          <p role="status" className={styles.count}>
            <FormattedMessage id="notifications.count" values={{ count: unread }} />
          </p>
          {unread > 0 && (
            <Button variant="secondary" className={styles.readAll} onClick={readAll}>
              <Icon of={CheckCheck} size={20} />
              <FormattedMessage id="notifications.markAllRead" />
            </Button>
          )}
        </div>
        <NotificationList notifications={notifications} onRead={markRead} />
      </div>
    </ProfileLayout>
  );
}
