import { Bell as BellIcon } from 'lucide';
import { useIntl } from 'react-intl';

import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './Bell.module.css';
import { NOTIFICATIONS } from './memberMenus';
import { DESKTOP_LIMIT, PHONE_LIMIT, UnreadBadge } from './UnreadBadge';

/** The bell of the navigation bar; on phones its badge shows one digit (spec section 9). */
export function Bell({ unread }: { unread: number }) {
  const { formatMessage } = useIntl();
  return (
    <Link
      to={NOTIFICATIONS.to}
      className={styles.bell}
      aria-label={formatMessage({ id: 'memberBar.unread' }, { count: unread })}
    >
      <Icon icon={BellIcon} />
      <UnreadBadge count={unread} limit={PHONE_LIMIT} className={styles.onPhone} />
      <UnreadBadge count={unread} limit={DESKTOP_LIMIT} className={styles.onDesktop} />
    </Link>
  );
}
