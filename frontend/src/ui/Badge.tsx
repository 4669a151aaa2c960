import type { ReactNode } from 'react';

import * as styles from './Badge.module.css';

/** A few words in a pill, with a dot: the state of something, or news about it. */
export function Badge({ children }: { children: ReactNode }) {
  return <p className={styles.badge}>{children}</p>;
}
