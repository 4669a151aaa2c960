import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';

import * as styles from './EmptyState.module.css';
import { IconDisc } from './Icon';
import { passFocusOn } from '../lib/pageStart';

interface EmptyStateProps {
  icon: IconNode;
  title: ReactNode;
  hint?: ReactNode;
  /** A button. When it disappears with the focus, the heading of the section takes that. */
  action?: ReactNode;
}

/** Shown in place of an empty list. */
export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <div ref={passFocusOn} className={styles.empty}>
      <IconDisc icon={icon} />
      <h2 className={styles.title}>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  );
}
