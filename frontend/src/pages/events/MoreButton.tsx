import { clsx } from 'clsx';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { useEventFormats } from '../../features/events/useEventFormats';
import { hideVisually } from '../../ui/hideVisually';
import * as styles from './MoreButton.module.css';

interface MoreButtonProps {
  day: Day;
  /** The number of events that the calendar does not show. */
  count: number;
  onOpen: (day: Day) => void;
  className?: string | undefined;
}

/** Render a button that opens all events of a day. */
export function MoreButton({ day, count, onOpen, className }: MoreButtonProps) {
  const format = useEventFormats();
  return (
    <button
      type="button"
      className={clsx(styles.more, className)}
      aria-haspopup="dialog"
      onClick={() => onOpen(day)}
    >
      <FormattedMessage id="events.more" values={{ count, day: format.day(day), hidden: hideVisually }} />
    </button>
  );
}
