import { clsx } from 'clsx';
import { type ReactNode, useId, useRef } from 'react';

import * as styles from './Section.module.css';
import { SectionHeading } from './SectionHeading';
import { useRiseOnce } from './useRiseOnce';

interface SectionProps {
  /** What it lies on: white and foam alternate down a page, dark returns to the water. */
  tone: 'white' | 'foam' | 'dark';
  /** Two or three words above the title. */
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  /** Where there is room: the heading over the content, over it with the lead spread to the side, or beside it. */
  layout?: 'over' | 'spread' | 'beside';
  /** For links to it: the target of a JumpLink. */
  id?: string;
  /** What lies under the content: a picture. */
  scene?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** A band of a page, from edge to edge. Its heading and its content rise as they come into sight, once. */
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
