import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './SectionHeading.module.css';

interface SectionHeadingProps {
  /** The id of the heading, which labels the section. */
  id: string;
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  className?: string | undefined;
}

/** The heading of a section: eyebrow, title and lead. */
export function SectionHeading({ id, eyebrow, title, lead, className }: SectionHeadingProps) {
  return (
    <div className={clsx(styles.heading, className)}>
      {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
