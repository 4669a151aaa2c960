import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { useT } from '../i18n/LanguageProvider';
import * as styles from './PageHeading.module.css';

/** The h1 of a page with sample data, and the chip that says so. */
export function PageTitle({ children }: { children: ReactNode }) {
  const t = useT();
  return (
    <div className={styles.titleRow}>
      <h1 className={clsx('heading', styles.title)}>{children}</h1>
      <p className={clsx('muted', styles.chip)}>{t('sample.preview')}</p>
    </div>
  );
}

interface PageHeadingProps {
  title: ReactNode;
  lead: ReactNode;
  /** Shown beside the text on wide screens, else below. */
  children?: ReactNode;
}

/** The heading of a page with sample data: title, a line below it, and an action or figures. */
export function PageHeading({ title, lead, children }: PageHeadingProps) {
  return (
    <div className={clsx('stack', styles.heading)}>
      <div>
        <PageTitle>{title}</PageTitle>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
    </div>
  );
}
