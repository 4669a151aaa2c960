import { CircleAlert } from 'lucide';
import { type ReactNode, useId } from 'react';

import * as styles from './Field.module.css';
import { Icon } from './Icon';

export interface FieldProps {
  label: string;
  /** What helps to fill the field in; it stands below it from the start. */
  hint?: ReactNode;
  /** What is wrong with the value; nothing while all is well. */
  error?: string | undefined;
}

/** What ties a control to the label, the error and the hint that stand around it. */
interface Ties {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldFrameProps extends FieldProps {
  /** Renders the control with what ties it to the rest. */
  children: (ties: Ties) => ReactNode;
}

/** What stands around one control of a form: its label above, what is wrong with its value and its hint below. */
export function Field({ label, hint, error, children }: FieldFrameProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const described = [error && errorId, hint && hintId].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {/* Announced by the form, which has one live region for all of its fields. */}
      {error && (
        <div id={errorId} className={styles.error}>
          <Icon of={CircleAlert} size={18} />
          {error}
        </div>
      )}
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}
