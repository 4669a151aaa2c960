import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './Stat.module.css';

interface StatProps {
  /** The formatted number. */
  value: ReactNode;
  label: ReactNode;
}

/** A number with its label, as a list item. */
export function Stat({ value, label }: StatProps) {
  return (
    <li className={styles.stat}>
      <strong className={clsx('title', styles.value)}>{value}</strong> <span className="muted">{label}</span>
    </li>
  );
}
