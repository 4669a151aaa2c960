import type { ReactNode } from 'react';

import * as styles from './ClientOnly.module.css';
import { useHydrated } from './useHydrated';

/** Render what depends on the visitor's date, window or query: never at build time, only in the browser. */
export function ClientOnly({ children }: { children: ReactNode }) {
  return useHydrated() ? children : <div className={styles.placeholder} />;
}
