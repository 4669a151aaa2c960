import { clsx } from 'clsx';
import { type ReactNode, useId, useRef } from 'react';

import * as styles from './Section.module.css';
import { SectionHeading } from './SectionHeading';
import { useRiseOnce } from './useRiseOnce';

interface SectionProps {
  /** The background. */
  tone: 'white' | 'foam' | 'dark';
  /** A short text above the title. */
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  /** On wide screens: the heading above the content, above it with the lead beside, or beside it. */
  layout?: 'over' | 'spread' | 'beside';
  /** The target of a JumpLink. */
  id?: string;
  /** A picture below the content. */
  scene?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** A full-width section of a page, which animates in once. */
export function Section({
  tone,
  eyebrow,
  title,
  lead,
  layout = 'over',
  id,
  scene,
  className,
  children,
}: SectionProps) {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  useRiseOnce(section);
  return (
    <section
      ref={section}
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-labelledby={headingId}
      data-surface={tone === 'dark' ? 'dark' : 'light'}
      className={clsx(styles.section, styles[tone], styles[layout], className)}
    >
      {scene}
      <SectionHeading id={headingId} eyebrow={eyebrow} title={title} lead={lead} className={styles.heading} />
      {children && <div className={styles.content}>{children}</div>}
    </section>
  );
}
