import type { IconNode } from 'lucide';

import * as styles from './ChoiceField.module.css';
import { Icon } from './Icon';

interface Choice<Value extends string> {
  value: Value;
  label: string;
  icon: IconNode;
}

interface ChoiceFieldProps<Value extends string> {
  label: string;
  name: string;
  choices: readonly Choice<Value>[];
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
        {choices.map((choice) => (
          <label key={choice.value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              onChange={() => onChange(choice.value)}
              defaultChecked={choice.value === defaultValue}
              className={styles.radio}
            />
            <Icon icon={choice.icon} size={20} />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
