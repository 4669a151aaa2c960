import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';

import * as styles from './EmptyState.module.css';
import { IconDisc } from './IconDisc';

interface EmptyStateProps {
  icon: IconNode;
  /** That there is nothing. */
  title: ReactNode;
  /** Why, or what to try. */
  hint?: ReactNode;
  /** The way on: a button. */
  action?: ReactNode;
}

/** What stands in the place of a list that has nothing to show. */
export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <IconDisc of={icon} />
      <h2 className={styles.title}>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  );
}
