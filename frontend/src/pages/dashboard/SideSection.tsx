import { type ReactNode, useId } from 'react';

import { Card } from '../../ui/Card';
import * as styles from './SideSection.module.css';

interface SideSectionProps {
  title: ReactNode;
  children: ReactNode;
}

/** Render a titled card of the right column. */
export function SideSection({ title, children }: SideSectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <Card className={styles.card}>
        <h2 id={headingId} className={styles.title}>
          {title}
        </h2>
        {children}
      </Card>
    </section>
  );
}
