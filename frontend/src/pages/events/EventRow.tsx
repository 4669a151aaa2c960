import { clsx } from 'clsx';
import { CircleCheck, Clock, MapPin } from 'lucide';
import { useId } from 'react';

import { DateTile } from '../../features/events/DateTile';
import { type SailingEvent, useEventFormats } from '../../features/events/event';
import { useT } from '../../i18n/LanguageProvider';
import { Card } from '../../ui/Card';
import { IconText } from '../../ui/IconText';
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
export function EventRow({ event, withDay = false, onOpen }: EventRowProps) {
  const t = useT();
  const format = useEventFormats();
  const dayId = useId();
  const factsId = useId();
  return (
    <Card element="article" className={clsx(eventTypes.typeColor, styles.row)} data-type={event.type}>
      {withDay && <DateTile id={dayId} day={event.date} className={eventTypes.tint} />}
      <div className={styles.content}>
        <div className={styles.head}>
          <p className="icon-text muted">
            <TypeMark type={event.type} />
            <span>{t(EVENT_TYPE_DISPLAY[event.type].label)}</span>
          </p>
          <p className="label">{format.price(event)}</p>
        </div>
        <button
          type="button"
          data-covers
          className={clsx('label', styles.title)}
          aria-haspopup="dialog"
          aria-describedby={withDay ? `${dayId} ${factsId}` : factsId}
          data-track="event"
          data-track-item={event.id}
          onClick={() => onOpen(event)}
        >
          {event.title}
        </button>
        <ul id={factsId} className={clsx('muted', styles.facts)}>
          <IconText icon={Clock} size={16}>
            {format.hours(event)}
          </IconText>
          <IconText icon={MapPin} size={16}>
            {event.location}
          </IconText>
          {event.isRegistered && (
            <IconText icon={CircleCheck} size={16} className={styles.registered}>
              {t('events.registered')}
            </IconText>
          )}
        </ul>
      </div>
    </Card>
  );
}
