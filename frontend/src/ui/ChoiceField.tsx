import type { IconNode } from 'lucide';

import * as styles from './ChoiceField.module.css';
import { Icon } from './Icon';

interface Choice {
  value: string;
  label: string;
  icon: IconNode;
}

interface ChoiceFieldProps {
  label: string;
  name: string;
  choices: readonly Choice[];
  defaultValue: string;
}

/** Radio buttons in a row of equal boxes. */
export function ChoiceField({ label, name, choices, defaultValue }: ChoiceFieldProps) {
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              defaultChecked={choice.value === defaultValue}
              className={styles.radio}
            />
            <Icon of={choice.icon} size={20} />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
