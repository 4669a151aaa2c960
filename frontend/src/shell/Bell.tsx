import { clsx } from 'clsx';
import { Bell as BellIcon } from 'lucide';

import { useT } from '../i18n/LanguageProvider';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './Bell.module.css';
import type { MenuItem } from './menus';

export const NOTIFICATIONS: MenuItem = { label: 'memberBar.notifications', to: '/notifications' };

/** The highest counts that a badge shows (spec section 9). */
export const DESKTOP_LIMIT = 99;
const PHONE_LIMIT = 9;

interface UnreadBadgeProps {
  count: number;
  limit: number;
  className?: string | undefined;
}

/**
 * The count of unread notifications, `9+` above the limit 9, hidden at 0.
 *
 * Screen readers skip it: the text beside it has the count.
 */
export function UnreadBadge({ count, limit, className }: UnreadBadgeProps) {
  if (count <= 0) return null;
  const label = count > limit ? `${limit}+` : count;
  return (
    <span className={clsx(styles.badge, className)} aria-hidden="true">
      {label}
    </span>
  );
}

/** The bell of the navigation bar; on phones its badge shows one digit (spec section 9). */
export function Bell({ unread }: { unread: number }) {
  const t = useT();
  return (
    <Link
      to={NOTIFICATIONS.to}
      className={clsx('icon-button', styles.bell)}
      aria-label={t('memberBar.unread', { count: unread })}
    >
      <Icon icon={BellIcon} />
      <UnreadBadge count={unread} limit={PHONE_LIMIT} className={styles.onPhone} />
      <UnreadBadge count={unread} limit={DESKTOP_LIMIT} className={styles.onDesktop} />
    </Link>
  );
}
