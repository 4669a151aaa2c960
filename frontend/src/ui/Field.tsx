import { CircleAlert } from 'lucide';
import { type ComponentProps, type ReactNode, useId } from 'react';

import * as styles from './Field.module.css';
import { Icon } from './Icon';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** The props that connect a control with its label, error and hint. */
interface ControlProps {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldFrameProps extends FieldProps {
  /** Render the control. */
  children: (props: ControlProps) => ReactNode;
}

/** The label, error and hint of a form control. */
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
      {error && (
        <div id={errorId} className={styles.error}>
          <Icon icon={CircleAlert} size={18} />
          <span>{error}</span>
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

/** A line of text. */
export function TextField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...input} {...control} />}
    </Field>
  );
}
