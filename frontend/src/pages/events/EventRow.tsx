import { clsx } from 'clsx';
import { CircleCheck, Clock, MapPin } from 'lucide';
import { memo, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import type { SailingEvent } from '../../events/event';
import * as styles from './EventRow.module.css';
import { TYPE_LABELS } from './labels';
import * as typeColour from './typeColour.module.css';
import { TypeMark } from './TypeMark';
import { dateOf, useFormats } from './useFormats';

interface EventRowProps {
  event: SailingEvent;
  /** Whether it says its day itself; else it stands under it. */
  withDay?: boolean;
  onOpen: (event: SailingEvent) => void;
}

/** An event in a list; all over it, it opens. */
export const EventRow = memo(function EventRow({ event, withDay = false, onOpen }: EventRowProps) {
  const format = useFormats();
  const dayId = useId();
  const hoursId = useId();
  return (
    <Card as="article" className={clsx(typeColour.typed, styles.row)} data-type={event.type}>
      {withDay && (
        <time id={dayId} dateTime={event.date} className={styles.day}>
          <span aria-hidden="true" className={styles.month}>
            {format.shortMonth(event.date)}
          </span>
          <span aria-hidden="true" className={styles.date}>
            {dateOf(event.date)}
          </span>
          <span className="visually-hidden">{format.day(event.date)}</span>
        </time>
      )}
      <div className={styles.words}>
        <p className={styles.type}>
          <TypeMark type={event.type} />
          <FormattedMessage id={TYPE_LABELS[event.type]} />
        </p>
        <button
          type="button"
          className={styles.title}
          lang="en"
          aria-haspopup="dialog"
          aria-describedby={withDay ? `${dayId} ${hoursId}` : hoursId}
          onClick={() => onOpen(event)}
        >
          {event.title}
        </button>
        <p id={hoursId} className={clsx(styles.fact, styles.hours)}>
          <Icon of={Clock} size={16} />
          {format.hours(event)}
        </p>
        <p className={clsx(styles.fact, styles.place)}>
          <Icon of={MapPin} size={16} />
          <span lang="en">{event.location}</span>
        </p>
        {event.isRegistered && (
          <p className={clsx(styles.fact, styles.registered)}>
            <Icon of={CircleCheck} size={16} />
            <FormattedMessage id="events.registered" />
          </p>
        )}
        <p className={styles.price}>{format.price(event)}</p>
      </div>
    </Card>
  );
});
