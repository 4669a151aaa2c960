import type { ReactNode } from 'react';

import { Section } from './Section';
// Must follow the style sheet of Section, which it overrides.
import * as styles from './CallToAction.module.css';

interface CallToActionProps {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** The buttons, if any. */
  children?: ReactNode;
}

/** The closing section of a page with its call to action. */
export function CallToAction({ children, ...words }: CallToActionProps) {
  return (
    <Section {...words} tone="dark" className={styles.call}>
      {children && <div className={styles.actions}>{children}</div>}
    </Section>
  );
}
