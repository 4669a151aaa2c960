import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { Text } from '../i18n/LanguageProvider';
import * as styles from './FilterChips.module.css';

interface Chip<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Shown before the label, such as a color. */
  mark?: ReactNode;
}

interface FilterChipsProps<Value extends string> {
  label: string;
  isLabelHidden?: boolean;
  /** Whether the chips are one row that scrolls, on phones. */
  scrolls?: boolean;
  chips: readonly Chip<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** A filter with a few values: toggle buttons of which one is pressed. */
export function FilterChips<Value extends string>({
  label,
  isLabelHidden = false,
  scrolls = false,
  chips,
  value: pressed,
  onChange,
  className,
}: FilterChipsProps<Value>) {
  return (
    <fieldset className={className}>
      <legend className={isLabelHidden ? 'visually-hidden' : styles.label}>{label}</legend>
      <div className={clsx('wrap', scrolls && styles.row)}>
        {chips.map(({ value, label: text, mark }) => (
          <button
            key={value}
            type="button"
            className={clsx('icon-text', styles.chip)}
            aria-pressed={value === pressed}
            onClick={() => onChange(value)}
          >
            {mark}
            <Text>{text}</Text>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
