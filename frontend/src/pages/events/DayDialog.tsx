import type { Day } from '../../calendar/day';
import { Dialog } from '../../ui/Dialog';
import * as styles from './DayDialog.module.css';
import type { SailingEvent } from '../../events/event';
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
      title={day && format.day(day)}
      className={styles.dialog}
    >
      <ul className={styles.events}>
        {day &&
          days.get(day)?.map((event) => (
            <li key={event.id}>
              <EventRow event={event} onOpen={onOpenEvent} />
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
