import { clsx } from 'clsx';

import { badgeLabel } from '../notifications/unread';
import * as styles from './UnreadBadge.module.css';

interface UnreadBadgeProps {
  count: number;
  limit: number;
  className?: string | undefined;
}

/** How many notifications are unread, for the eye only: what it stands on or beside says it in words. None at 0. */
export function UnreadBadge({ count, limit, className }: UnreadBadgeProps) {
  const label = badgeLabel(count, limit);
  if (!label) return null;
  return (
    <span className={clsx(styles.badge, className)} aria-hidden="true">
      {label}
    </span>
  );
}
