import { useDeferredValue } from 'react';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Dialog } from '../../ui/Dialog';
import * as styles from './DayDialog.module.css';
import { EventRow } from './EventRow';

interface DayDialogProps {
  /** The open day; undefined while the dialog is closed. */
  day: Day | undefined;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onClose: () => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render a dialog with all events of a day; an event opens in a dialog above it. */
export function DayDialog({ day, days, onClose, onOpenEvent }: DayDialogProps) {
  const format = useEventFormats();
  return (
    <Dialog
      open={day !== undefined}
      onClose={onClose}
      title={day && <span className={styles.title}>{format.day(day)}</span>}
      className={styles.dialog}
    >
      {day && <DayEvents events={days.get(day) ?? []} onOpenEvent={onOpenEvent} />}
    </Dialog>
  );
}

/** The number of events that fit into the open dialog without scrolling. */
const FIRST_EVENTS = 6;

interface DayEventsProps {
  events: readonly SailingEvent[];
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render the first events at once and the rest at a lower priority. */
function DayEvents({ events, onOpenEvent }: DayEventsProps) {
  const listed = useDeferredValue(events, events.slice(0, FIRST_EVENTS));
  return (
    <ul className={styles.events}>
      {listed.map((event) => (
        <li key={event.id}>
          <EventRow event={event} onOpen={onOpenEvent} />
        </li>
      ))}
    </ul>
  );
}
