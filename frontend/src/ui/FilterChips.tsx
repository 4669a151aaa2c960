import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './FilterChips.module.css';

export interface Chip<Value extends string> {
  value: Value;
  label: ReactNode;
  /** What stands before the label, such as the colour that the value has elsewhere. */
  mark?: ReactNode;
}

interface FilterChipsProps<Value extends string> {
  /** What the chips narrow. */
  label: string;
  /** Whether the label is left to screen readers, where the chips speak for themselves. */
  quiet?: boolean;
  chips: readonly Chip<Value>[];
  /** The value of the chip that is pressed. */
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** A few values of which one narrows a list: a row of buttons that stay pressed, one at a time. */
export function FilterChips<Value extends string>({
  label,
  quiet = false,
  chips,
  value: pressed,
  onChange,
  className,
}: FilterChipsProps<Value>) {
  return (
    <fieldset className={clsx(styles.field, className)}>
      <legend className={quiet ? 'visually-hidden' : styles.label}>{label}</legend>
      <div className={styles.chips}>
        {chips.map(({ value, label: text, mark }) => (
          <button
            key={value}
            type="button"
            className={styles.chip}
            aria-pressed={value === pressed}
            onClick={() => onChange(value)}
          >
            {mark}
            {text}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
