import type { ReactNode } from 'react';

import * as styles from './Badge.module.css';

interface BadgeProps {
  /** What kind of state it tells, by the colour of its dot; the words say which. Without one it is news. */
  tone?: 'good' | 'waiting';
  children: ReactNode;
}

/** A few words in a pill, with a dot: the state of something, or news about it. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <p className={styles.badge} data-tone={tone}>
      {children}
    </p>
  );
}
