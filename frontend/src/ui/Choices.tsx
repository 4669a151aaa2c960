import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';

import { Text } from '../i18n/LanguageProvider';
import * as styles from './Choices.module.css';
import { IconText } from './IconText';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  name: string;
  choices: readonly { value: Value; label: string; icon: IconNode }[];
  defaultValue: Value;
  onChange: (value: Value) => void;
}

/** Radio buttons in a row of equal boxes. */
export function ChoiceField<Value extends string>({
  label,
  name,
  choices,
  defaultValue,
  onChange,
}: ChoiceFieldProps<Value>) {
  return (
    <fieldset>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.choices}>
        {choices.map(({ value, label: text, icon }) => (
          <label key={value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={value}
              onChange={() => onChange(value)}
              defaultChecked={value === defaultValue}
              className={styles.radio}
            />
            <IconText element="span" icon={icon} size={20}>
              {text}
            </IconText>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FilterChipsProps<Value extends string> {
  label: string;
  isLabelHidden?: boolean;
  /** A mark stands before the label, such as a color. */
  chips: readonly { value: Value; label: ReactNode; mark?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** A filter with a few values: toggle buttons, one of them pressed. */
export function FilterChips<Value extends string>({
  label,
  isLabelHidden = false,
  chips,
  value: pressed,
  onChange,
  className,
}: FilterChipsProps<Value>) {
  return (
    <fieldset className={className}>
      <legend className={isLabelHidden ? 'visually-hidden' : styles.label}>{label}</legend>
      <div className="wrap">
        {chips.map(({ value, label: text, mark }) => (
          <button
            key={value}
            type="button"
            className={styles.chip}
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
