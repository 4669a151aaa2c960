import { clsx } from 'clsx';
import type { InputHTMLAttributes } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { Field } from '../../ui/Field';
import * as styles from './OptionalField.module.css';

interface OptionalFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error: string | undefined;
  value: string;
  /** The stored value; blank if there is none. */
  saved: string;
  /** Whether saving clears the stored value. */
  isRemoved: boolean;
  /** Called to remove the stored value, and to undo that. */
  onToggleRemoved: () => void;
}

/** A text field whose stored value can be removed. Left blank without that, the value stays, and a hint says so. */
export function OptionalField({
  label,
  error,
  saved,
  isRemoved,
  onToggleRemoved,
  ...input
}: OptionalFieldProps) {
  const { formatMessage } = useIntl();
  const isKept = saved !== '' && input.value.trim() === '' && !isRemoved;
  return (
    <Field
      label={formatMessage({ id: 'profile.optional' }, { label })}
      error={error}
      hint={
        // A live region must exist before its text.
        <span aria-live="polite" className={styles.hint}>
          {isRemoved && <FormattedMessage id="profile.removed" />}
          {isKept && <FormattedMessage id="profile.kept" values={{ value: saved }} />}
        </span>
      }
    >
      {({ className, ...control }) => (
        <div className={styles.frame}>
          <input {...input} {...control} className={clsx(className, saved && styles.input)} />
          {saved && (
            <button
              type="button"
              className={styles.button}
              aria-label={formatMessage(
                { id: isRemoved ? 'profile.restoreField' : 'profile.removeField' },
                { label },
              )}
              onClick={onToggleRemoved}
            >
              <FormattedMessage id={isRemoved ? 'profile.restore' : 'profile.remove'} />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
