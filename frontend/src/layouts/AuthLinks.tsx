import type { ReactNode } from 'react';

import * as styles from './AuthLinks.module.css';

/** The links below the sign-up and sign-in forms; each paragraph stays on one line where it fits. */
export function AuthLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}
