import type { ReactNode } from 'react';

import { Section } from './Section';
// After the section's own style sheet, whose colours it replaces.
import * as styles from './ClosingCall.module.css';

interface ClosingCallProps {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** The buttons, if any. */
  children?: ReactNode;
}

/** The last words of a page and what to do now, over the last light on the horizon. */
export function ClosingCall({ children, ...words }: ClosingCallProps) {
  return (
    <Section {...words} tone="dark" className={styles.call}>
      {children && <div className={styles.actions}>{children}</div>}
    </Section>
  );
}
