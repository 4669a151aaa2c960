import { Check } from 'lucide';
import type { InputHTMLAttributes } from 'react';

import * as styles from './Checkbox.module.css';
import { Icon } from './Icon';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string;
}

/** A checkbox with its label. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <span className={styles.frame}>
        <input {...input} type="checkbox" className={styles.input} />
        <Icon icon={Check} size={18} />
      </span>
      <span>{label}</span>
    </label>
  );
}
