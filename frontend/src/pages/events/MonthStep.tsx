import type { IconNode } from 'lucide';

import { isMonth, type Month } from '../../calendar/month';
import { Icon } from '../../ui/Icon';
import * as styles from './MonthStep.module.css';

interface MonthStepProps {
  label: string;
  icon: IconNode;
  /** The month that it leads to; where the calendar ends there is none, and the button keeps the focus. */
  to: Month;
  onTurn: (month: Month) => void;
}

/** A step from one month to the next, or to the one before. */
export function MonthStep({ label, icon, to, onTurn }: MonthStepProps) {
  const isEnd = !isMonth(to);
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={label}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onTurn(to)}
    >
      <Icon of={icon} />
    </button>
  );
}
