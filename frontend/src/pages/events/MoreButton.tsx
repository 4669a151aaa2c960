import { clsx } from 'clsx';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { hidden } from './hidden';
import * as styles from './MoreButton.module.css';
import { useFormats } from './useFormats';

interface MoreButtonProps {
  day: Day;
  /** How many events of the day do not show. */
  count: number;
  onOpen: (day: Day) => void;
  className?: string | undefined;
}

/** Opens a day that has more events than show. */
export function MoreButton({ day, count, onOpen, className }: MoreButtonProps) {
  const format = useFormats();
  return (
    <button
      type="button"
      className={clsx(styles.more, className)}
      aria-haspopup="dialog"
      onClick={() => onOpen(day)}
    >
      <FormattedMessage id="events.more" values={{ count, day: format.day(day), hidden }} />
    </button>
  );
}
