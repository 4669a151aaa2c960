import { clsx } from 'clsx';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

import * as styles from './Section.module.css';

interface SectionHeadingProps {
  /** The id of the heading, which labels the section. */
  id: string;
  /** A short text above the title. */
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  className?: string | undefined;
}

/** The heading of a section: eyebrow, title and lead. */
export function SectionHeading({ id, eyebrow, title, lead, className }: SectionHeadingProps) {
  return (
    <div className={clsx(styles.intro, className)}>
      {eyebrow && <p className={clsx('eyebrow', styles.eyebrow)}>{eyebrow}</p>}
      <h2 id={id} className="heading">
        {title}
      </h2>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}

interface SectionProps extends Omit<SectionHeadingProps, 'id'> {
  /** The background. */
  tone: 'white' | 'foam' | 'dark';
  /** On wide screens: the heading above the content, or beside it. */
  layout?: 'over' | 'beside';
  /** The target of a JumpLink. */
  id?: string;
  /** A picture below the content. */
  scene?: ReactNode;
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
      data-tone={tone}
      data-layout={layout}
      className={clsx(styles.section, className)}
    >
      {scene}
      <SectionHeading id={headingId} eyebrow={eyebrow} title={title} lead={lead} className={styles.heading} />
      {children && <div className={styles.content}>{children}</div>}
    </section>
  );
}

type CallToActionProps = Pick<SectionProps, 'eyebrow' | 'title' | 'lead' | 'children'>;

/** The closing section of a page with its call to action; the children are its buttons. */
export function CallToAction({ children, ...heading }: CallToActionProps) {
  return (
    <Section {...heading} tone="dark" className={styles.callToAction}>
      <div className={styles.actions}>{children}</div>
    </Section>
  );
}

/**
 * Run the scroll-driven entrance of each child once, instead of back and forth with the scrolling: `data-risen` removes its
 * animation.
 */
function useRiseOnce(parent: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    for (const element of parent.current?.querySelectorAll<HTMLElement>(':scope > *') ?? []) {
      for (const animation of element.getAnimations()) {
        const end = () => void (element.dataset.risen = '');
        // It is canceled where less motion is preferred, or when the page is left.
        animation.finished.then(end, () => undefined);
      }
    }
  }, [parent]);
}
