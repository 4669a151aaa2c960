import { Check, Circle } from 'lucide';

import { Icon } from './Icon';
import * as styles from './RuleTicks.module.css';

interface RuleTick {
  text: string;
  isMet: boolean;
}

interface RuleTicksProps {
  rules: readonly RuleTick[];
  /** Read by screen readers after a met rule. */
  metLabel: string;
}

/** The rules of a value, each ticked when met. */
export function RuleTicks({ rules, metLabel }: RuleTicksProps) {
  return (
    <ul className={styles.rules}>
      {rules.map(({ text, isMet }) => (
        <li key={text} className={isMet ? styles.met : undefined}>
          <Icon icon={isMet ? Check : Circle} size={16} />
          <span>
            <span>{text}</span>
            {isMet && (
              <>
                {' '}
                <span className="visually-hidden">{metLabel}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
