import { FormattedMessage } from 'react-intl';

import type { Notification } from '../../features/notifications/notification';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { NotificationItem } from './NotificationItem';
import * as styles from './NotificationList.module.css';

interface NotificationListProps {
  notifications: readonly Notification[];
  onRead: (id: string) => void;
}

export function NotificationList({ notifications, onRead }: NotificationListProps) {
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
