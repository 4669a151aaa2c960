import { clsx } from 'clsx';
import { CircleCheck } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../features/events/event';
import { placesLeft } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { DialogAction } from '../../ui/DialogAction';
import { Icon } from '../../ui/Icon';
import { visuallyHidden } from '../../ui/visuallyHidden';
import { EventDetails } from './EventDetails';
import * as styles from './EventDialog.module.css';

interface EventDialogProps {
  /** Undefined while the dialog is closed. */
  event: SailingEvent | undefined;
  today: Day;
  onClose: () => void;
}

export function EventDialog({ event, today, onClose }: EventDialogProps) {
  return (
    <Dialog
      open={event !== undefined}
      onClose={onClose}
      title={event?.title}
      foot={event && <Participation event={event} today={today} />}
    >
      {event && <EventDetails event={event} today={today} />}
    </Dialog>
  );
}

/** Render the price and a button to join, or why there is none. */
function Participation({ event, today }: { event: SailingEvent; today: Day }) {
  const format = useEventFormats();
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <DialogAction
      summary={
        <p className={styles.price}>
          <FormattedMessage
            id="events.price"
            values={{ price: format.price(event, 'events.free'), hidden: visuallyHidden }}
          />
        </p>
      }
    >
      {event.date < today ? (
        <p className={styles.reason}>
          <FormattedMessage id="events.isOver" />
        </p>
      ) : event.isRegistered ? (
        <p className={clsx(styles.reason, styles.registered)}>
          <Icon of={CircleCheck} size={20} />
          <FormattedMessage id="events.haveJoined" />
        </p>
      ) : placesLeft(event) === 0 ? (
        <p className={styles.reason}>
          <FormattedMessage id="events.fullyBooked" />
        </p>
      ) : (
        <Button onClick={opensAtLaunch}>
          <FormattedMessage id="events.join" />
        </Button>
      )}
    </DialogAction>
  );
}
