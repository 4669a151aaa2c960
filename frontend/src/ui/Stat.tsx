import type { ReactNode } from 'react';

import * as styles from './Stat.module.css';

interface StatProps {
  /** The figure, as the locale writes it. */
  value: ReactNode;
  /** What is counted. */
  label: ReactNode;
}

/** A figure and what it counts: an item of a list of such. */
export function Stat({ value, label }: StatProps) {
  return (
    <li className={styles.stat}>
      <strong className={styles.value}>{value}</strong> <span className={styles.label}>{label}</span>
    </li>
  );
}
