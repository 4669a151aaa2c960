import { clsx } from 'clsx';
import { FormattedMessage } from 'react-intl';
import { useDeferredValue } from 'react';

import type { Day } from '../../features/calendar/day';
import type { SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Dialog } from '../../ui/Dialog';
import { hideVisually } from '../../ui/hideVisually';
import * as styles from './DayDialog.module.css';
import { EventRow } from './EventRow';

/** The number of events that fit into the open dialog without scrolling. */
const FIRST_EVENTS = 6;

interface DayDialogProps {
  day: Day;
  events: readonly SailingEvent[];
  onClose: () => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render a dialog with all events of a day; an event opens in a dialog above it. */
export function DayDialog({ day, events, onClose, onOpenEvent }: DayDialogProps) {
  const format = useEventFormats();
  // The first events are there at once, and the rest at a lower priority.
  const listed = useDeferredValue(events, events.slice(0, FIRST_EVENTS));
  return (
    <Dialog
      onClose={onClose}
      title={<span className={styles.title}>{format.day(day)}</span>}
      className={styles.dialog}
    >
      <ul className={styles.events}>
        {listed.map((event) => (
          <li key={event.id}>
            <EventRow event={event} onOpen={onOpenEvent} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

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
