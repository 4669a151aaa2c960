import type { ReactNode } from 'react';

import * as styles from './Badge.module.css';

interface BadgeProps {
  /** The color of the dot; the text says what it means. */
  tone?: 'good' | 'waiting';
  children: ReactNode;
}

/** A pill with a dot and a short text. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <p className={styles.badge} data-tone={tone}>
      {children}
    </p>
  );
}
