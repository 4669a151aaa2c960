import { clsx } from 'clsx';

import { badgeLabel } from '../notifications/unread';
import * as styles from './UnreadBadge.module.css';

interface UnreadBadgeProps {
  count: number;
  limit: number;
  className?: string | undefined;
}

/** The count of unread notifications, hidden at 0 and from screen readers: the text beside it has the count. */
export function UnreadBadge({ count, limit, className }: UnreadBadgeProps) {
  const label = badgeLabel(count, limit);
  if (!label) return null;
  return (
    <span className={clsx(styles.badge, className)} aria-hidden="true">
      {label}
    </span>
  );
}
