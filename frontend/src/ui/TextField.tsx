import { CircleAlert } from 'lucide';
import { type InputHTMLAttributes, useId } from 'react';

import { Icon } from './Icon';
import * as styles from './TextField.module.css';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** What is wrong with the value; nothing while all is well. */
  error?: string | undefined;
}

/** One line of text: its label above, what is wrong with it below. */
export function TextField({ label, error, ...input }: TextFieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {/* Stands there from the start, so that screen readers watch it. */}
      <div id={errorId} className={styles.error} aria-live="polite">
        {error && (
          <>
            <Icon of={CircleAlert} size={18} />
            {error}
          </>
        )}
      </div>
    </div>
  );
}
