import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import { type ReactNode, useEffect } from 'react';

import { focusHeading, passFocusOn, scrollPage } from '../lib/pageStart';
import * as styles from './Confirmation.module.css';
import { IconDisc } from './Icon';

interface ConfirmationProps {
  /** Whether the form has done its work. */
  isDone: boolean;
  icon: IconNode;
  title: string;
  message: string;
  texts: readonly string[];
  link: ReactNode;
  /** The form. */
  children: ReactNode;
}

/** A form, or what replaces it once it has done its work. */
export function Confirmation({ isDone, icon, title, message, texts, link, children }: ConfirmationProps) {
  // The focused button at the end of the form has been removed.
  useEffect(() => {
    if (!isDone) return;
    focusHeading();
    scrollPage(0);
  }, [isDone]);

  return (
    <div className={isDone ? styles.confirmation : styles.form}>
      {isDone ? (
        <>
          <IconDisc icon={icon} />
          <h1 ref={passFocusOn} className={clsx('heading', styles.title)}>
            {title}
          </h1>
        </>
      ) : (
        children
      )}
      {/* A live region must exist before its text. The focus announces the heading. */}
      <div role="status" className={styles.texts}>
        {isDone && (
          <>
            <p className={styles.message}>{message}</p>
            {texts.map((text) => (
              <p key={text} className={styles.text}>
                {text}
              </p>
            ))}
          </>
        )}
      </div>
      {isDone && link}
    </div>
  );
}
