import { useDeferredValue } from 'react';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { Dialog } from '../../ui/Dialog';
import * as styles from './DayDialog.module.css';
import { EventRow } from './EventRow';
import { useFormats } from './useFormats';

interface DayDialogProps {
  /** The day that is open; nothing while none is. */
  day: Day | undefined;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onClose: () => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** All events of a day. One that is chosen opens above it. */
export function DayDialog({ day, days, onClose, onOpenEvent }: DayDialogProps) {
  const format = useFormats();
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

/** How many events a dialog has room for when it opens. */
const IN_SIGHT = 6;

interface DayEventsProps {
  events: readonly SailingEvent[];
  onOpenEvent: (event: SailingEvent) => void;
}

/** The events of a day: what is in sight shows at once, the rest follows when there is time. */
function DayEvents({ events, onOpenEvent }: DayEventsProps) {
  const listed = useDeferredValue(events, events.slice(0, IN_SIGHT));
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
