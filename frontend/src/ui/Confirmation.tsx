import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import { type ReactNode, useEffect } from 'react';

import { focusHeading, passFocusOn, scrollPage } from '../lib/pageStart';
import * as styles from './Confirmation.module.css';
import { IconDisc } from './Icon';

interface ConfirmationProps {
  icon: IconNode;
  title: string;
  message: string;
  texts: readonly string[];
  /** A link. */
  children: ReactNode;
}

/** What replaces a form that has done its work. */
export function Confirmation({ icon, title, message, texts, children }: ConfirmationProps) {
  // The focused button at the end of the form has been removed.
  useEffect(() => {
    focusHeading();
    scrollPage(0);
  }, []);

  return (
    <div className={styles.confirmation}>
      <IconDisc icon={icon} />
      <h1 ref={passFocusOn} className={clsx('heading', styles.title)}>
        {title}
      </h1>
      <p className={styles.message}>{message}</p>
      {texts.map((text) => (
        <p key={text} className={styles.text}>
          {text}
        </p>
      ))}
      {children}
    </div>
  );
}
