import { Check, Circle } from 'lucide';

import { Icon } from './Icon';
import * as styles from './RuleTicks.module.css';

export interface RuleTick {
  text: string;
  isMet: boolean;
}

interface RuleTicksProps {
  rules: readonly RuleTick[];
  /** Read after a rule that is met, for who does not see its tick. */
  metLabel: string;
}

/** The rules that a value must keep; each is ticked off as soon as the value keeps it. */
export function RuleTicks({ rules, metLabel }: RuleTicksProps) {
  return (
    <ul className={styles.rules}>
      {rules.map(({ text, isMet }) => (
        <li key={text} className={isMet ? styles.met : undefined}>
          <Icon of={isMet ? Check : Circle} size={16} />
          <span>
            {text}
            {isMet && <span className="visually-hidden"> {metLabel}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
