import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide';
import { type InputHTMLAttributes, useState } from 'react';

import { Field, type FieldProps } from './Field';
import { IconButton } from './IconButton';
import * as styles from './PasswordField.module.css';

interface PasswordFieldProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  /** The accessible name of the button that shows the password. */
  revealLabel: string;
}

/** A password with a button that shows it (NIST SP 800-63B, 3.1.1.2). */
export function PasswordField({ label, hint, error, revealLabel, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {({ className, ...control }) => (
        <div className={styles.frame}>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={clsx(className, styles.input)}
          />
          <IconButton
            icon={isShown ? EyeOff : Eye}
            size={20}
            label={revealLabel}
            aria-pressed={isShown}
            className={styles.reveal}
            onClick={() => setShown(!isShown)}
          />
        </div>
      )}
    </Field>
  );
}
