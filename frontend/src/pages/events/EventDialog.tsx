import type { Day } from '../../calendar/day';
import { Dialog } from '../../ui/Dialog';
import type { SailingEvent } from '../../events/event';
import { EventDetails } from './EventDetails';

interface EventDialogProps {
  /** The event that is open; nothing while none is. */
  event: SailingEvent | undefined;
  today: Day;
  onClose: () => void;
}

/** Everything known about an event, over the page. */
export function EventDialog({ event, today, onClose }: EventDialogProps) {
  return (
    <Dialog open={event !== undefined} onClose={onClose} title={<span lang="en">{event?.title}</span>}>
      {event && <EventDetails event={event} today={today} />}
    </Dialog>
  );
}
