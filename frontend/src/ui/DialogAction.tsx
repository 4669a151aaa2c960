import type { ReactNode } from 'react';

import * as styles from './DialogAction.module.css';

interface DialogActionProps {
  /** What the action is about, such as its price. */
  summary: ReactNode;
  /** The button, or the words that stand in its place. */
  children: ReactNode;
}

/** The footer of a dialog that leads on: a summary and the action. */
export function DialogAction({ summary, children }: DialogActionProps) {
  return (
    <div className={styles.action}>
      {summary}
      {children}
    </div>
  );
}
