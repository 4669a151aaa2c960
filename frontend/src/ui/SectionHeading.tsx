import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './SectionHeading.module.css';

interface SectionHeadingProps {
  /** The heading's own, which its section names. */
  id: string;
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  className?: string | undefined;
}

/** The opening of a section: a word of what it is about, its title, a sentence or two. */
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
