import type { ReactNode } from 'react';

import { Section } from './Section';
// Must follow the style sheet of Section, which it overrides.
import * as styles from './CallToAction.module.css';

interface CallToActionProps {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** Where the buttons are in a wide window. */
  layout?: 'below' | 'beside';
  /** The buttons, if any. */
  children?: ReactNode;
}

/** The closing section of a page with its call to action. */
export function CallToAction({ layout = 'below', children, ...words }: CallToActionProps) {
  return (
    <Section
      {...words}
      tone="dark"
      layout={layout === 'beside' ? 'beside' : 'over'}
      className={styles[layout]}
    >
      {children && <div className={styles.actions}>{children}</div>}
    </Section>
  );
}
