import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './FilterChips.module.css';

interface Chip<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Shown before the label, such as a colour. */
  mark?: ReactNode;
}

interface FilterChipsProps<Value extends string> {
  label: string;
  /** Whether the label is visually hidden; on phones the chips are then one row that scrolls. */
  quiet?: boolean;
  chips: readonly Chip<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** A filter with a few values: toggle buttons of which one is pressed. */
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
      <div className={clsx(styles.chips, quiet && styles.row)}>
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
