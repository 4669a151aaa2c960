import type { ReactNode } from 'react';

import * as styles from './PageHeading.module.css';
import { PageTitle } from './PageTitle';

interface PageHeadingProps {
  title: ReactNode;
  lead: ReactNode;
  /** Shown beside the text on wide screens, else below. */
  children?: ReactNode;
}

/** The heading of a page with sample data: title, a line below it, and an action or figures. */
export function PageHeading({ title, lead, children }: PageHeadingProps) {
  return (
    <div className={styles.head}>
      <div>
        <PageTitle>{title}</PageTitle>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
    </div>
  );
}
