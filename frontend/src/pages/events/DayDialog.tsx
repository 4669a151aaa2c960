import { FormattedMessage } from 'react-intl';

import type { Day } from '../../features/calendar';
import { type SailingEvent, useEventFormats } from '../../features/events/event';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { hideVisually } from '../../ui/hideVisually';
import * as styles from './DayDialog.module.css';
import { EventRow } from './EventRow';
import { MAX_EVENTS_PER_DAY } from './eventTypes';

interface DayDialogProps {
  day: Day;
  events: readonly SailingEvent[];
  onClose: () => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render a dialog with all events of a day; an event opens in a dialog above it. */
export function DayDialog({ day, events, onClose, onOpenEvent }: DayDialogProps) {
  const format = useEventFormats();
  return (
    <Dialog
      onClose={onClose}
      title={<span className="capital">{format.day(day)}</span>}
      className={styles.dialog}
    >
      <ul className={styles.events}>
        {events.map((event) => (
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
  events: readonly SailingEvent[];
  onOpen: (day: Day) => void;
}

/** Render a button that opens all events of a day, if the calendar does not show them all. */
export function MoreButton({ day, events, onOpen }: MoreButtonProps) {
  const format = useEventFormats();
  const count = events.length - MAX_EVENTS_PER_DAY;
  if (count <= 0) return null;
  return (
    <Button variant="ghost" className={styles.more} aria-haspopup="dialog" onClick={() => onOpen(day)}>
      <FormattedMessage id="events.more" values={{ count, day: format.day(day), hidden: hideVisually }} />
    </Button>
  );
}
