import type { ReactNode } from 'react';

import * as styles from './PageHeading.module.css';

interface PageHeadingProps {
  title: ReactNode;
  /** A sentence on what the page is for. */
  lead: ReactNode;
  /** What stands beside the words where there is room, else below them. */
  children?: ReactNode;
}

/** The opening of a page on a light ground. */
export function PageHeading({ title, lead, children }: PageHeadingProps) {
  return (
    <div className={styles.head}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
    </div>
  );
}
