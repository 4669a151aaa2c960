import { clsx } from 'clsx';

import * as styles from './UnreadBadge.module.css';

/** The highest counts that a badge shows (spec section 9). */
export const DESKTOP_LIMIT = 99;
export const PHONE_LIMIT = 9;

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
