import type { ReactNode } from 'react';

import * as styles from './PageHeading.module.css';

interface PageHeadingProps {
  /** Shown above the title. */
  above?: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** Shown beside the text on wide screens, else below. */
  children?: ReactNode;
}

/** The heading of an app page. */
export function PageHeading({ above, title, lead, children }: PageHeadingProps) {
  return (
    <div className={styles.head}>
      <div>
        {above}
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
    </div>
  );
}
