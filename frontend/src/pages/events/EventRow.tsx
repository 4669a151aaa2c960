import { clsx } from 'clsx';
import { CircleCheck, Clock, MapPin } from 'lucide';
import { memo, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { DateTile } from '../../features/events/DateTile';
import type { SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import * as styles from './EventRow.module.css';
import { EVENT_TYPE_DISPLAY, TypeMark } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';

interface EventRowProps {
  event: SailingEvent;
  /** Whether to show the day; leave it out under a heading with the day. */
  withDay?: boolean;
  onOpen: (event: SailingEvent) => void;
}

/** Render an event in a list; a press anywhere on it opens it. */
export const EventRow = memo(function EventRow({ event, withDay = false, onOpen }: EventRowProps) {
  const format = useEventFormats();
  const dayId = useId();
  const hoursId = useId();
  return (
    <Card element="article" className={clsx(eventTypes.typeColor, styles.row)} data-type={event.type}>
      {withDay && <DateTile id={dayId} day={event.date} className={styles.day} />}
      <div className={styles.content}>
        <p className={styles.type}>
          <TypeMark type={event.type} />
          <FormattedMessage id={EVENT_TYPE_DISPLAY[event.type].label} />
        </p>
        <button
          type="button"
          data-covers
          className={styles.title}
          aria-haspopup="dialog"
          aria-describedby={withDay ? `${dayId} ${hoursId}` : hoursId}
          data-track="event"
          data-track-item={event.id}
          onClick={() => onOpen(event)}
        >
          {event.title}
        </button>
        <p id={hoursId} className={clsx(styles.fact, styles.hours)}>
          <Icon icon={Clock} size={16} />
          <span>{format.hours(event)}</span>
        </p>
        <p className={clsx(styles.fact, styles.location)}>
          <Icon icon={MapPin} size={16} />
          <span>{event.location}</span>
        </p>
        {event.isRegistered && (
          <p className={clsx(styles.fact, styles.registered)}>
            <Icon icon={CircleCheck} size={16} />
            <FormattedMessage id="events.registered" />
          </p>
        )}
        <p className={styles.price}>{format.price(event)}</p>
      </div>
    </Card>
  );
});
