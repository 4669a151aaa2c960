import type { IconNode } from 'lucide';

import { isMonth, type Month } from '../../calendar/month';
import { Icon } from '../../ui/Icon';
import * as styles from './MonthStep.module.css';

interface MonthStepProps {
  label: string;
  icon: IconNode;
  /** The month to show; disabled when the calendar does not reach so far. */
  month: Month;
  onMonthChange: (month: Month) => void;
}

export function MonthStep({ label, icon, month, onMonthChange }: MonthStepProps) {
  const isEnd = !isMonth(month);
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={label}
      // aria-disabled keeps the focus, unlike disabled.
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onMonthChange(month)}
    >
      <Icon of={icon} />
    </button>
  );
}
