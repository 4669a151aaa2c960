import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { passFocusOn } from '../lib/pageStart';
import * as styles from './AuthIntro.module.css';

/** The heading of a page with a form. */
export function AuthIntro({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <div className={styles.intro}>
      <h1 ref={passFocusOn} className={clsx('heading', styles.title)}>
        {title}
      </h1>
      <p className={styles.lead}>{lead}</p>
      {children}
    </div>
  );
}

/** The links below the sign-up and sign-in forms; each paragraph stays on one line where it fits. */
export function AuthLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}
