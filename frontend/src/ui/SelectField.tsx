import { clsx } from 'clsx';
import { ChevronDown } from 'lucide';
import type { SelectHTMLAttributes } from 'react';

import { Field, type FieldProps } from './Field';
import { Icon } from './Icon';
import * as styles from './SelectField.module.css';

interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps extends FieldProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> {
  /** An empty value means no choice. */
  options: readonly Option[];
}

/** A native select. */
export function SelectField({ label, hint, error, options, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ className, ...control }) => (
        <div className={styles.frame}>
          <select {...select} {...control} className={clsx(className, styles.select)}>
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <Icon icon={ChevronDown} size={20} />
        </div>
      )}
    </Field>
  );
}
