import { clsx } from 'clsx';
import { CalendarDays, CircleCheck, Clock, Gauge, MapPin, UserRound, Users } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import type { Difficulty, SailingEvent } from '../../features/events/event';
import { placesLeft } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import type { MessageId } from '../../i18n/catalogues';
import { Icon } from '../../ui/Icon';
import * as styles from './EventDetails.module.css';
import { EVENT_TYPE_DISPLAY } from './eventTypes';
import * as typeColour from './typeColour.module.css';
import { TypeMark } from './TypeMark';

const DIFFICULTY_LABELS: Record<Difficulty, MessageId> = {
  all: 'events.allLevels',
  beginner: 'events.beginner',
  intermediate: 'events.intermediate',
  advanced: 'events.advanced',
};

const STATUS_LABELS: Record<SailingEvent['status'], MessageId> = { upcoming: 'events.upcomingStatus' };

export function EventDetails({ event, today }: { event: SailingEvent; today: Day }) {
  const format = useEventFormats();
  const isPast = event.date < today;
  const left = isPast ? undefined : placesLeft(event);

  const facts = [
    { icon: CalendarDays, label: 'events.date', fact: format.fullDay(event.date) },
    { icon: Clock, label: 'events.time', fact: format.hours(event) },
    { icon: MapPin, label: 'events.location', fact: event.location },
    { icon: UserRound, label: 'events.organizer', fact: event.organizer },
    {
      icon: Users,
      label: 'events.participants',
      fact: (
        <FormattedMessage
          id="events.participantCount"
          values={{ count: event.participants, limited: String(left !== undefined), left: left ?? 0 }}
        />
      ),
    },
    {
      icon: Gauge,
      label: 'events.difficulty',
      fact: <FormattedMessage id={DIFFICULTY_LABELS[event.difficulty]} />,
    },
  ] as const;

  return (
    <div className={styles.details}>
      <ul className={styles.signs}>
        <li className={clsx(typeColour.typed, styles.sign)} data-type={event.type}>
          <TypeMark type={event.type} />
          <FormattedMessage id={EVENT_TYPE_DISPLAY[event.type].label} />
        </li>
        <li className={styles.sign}>
          <FormattedMessage id={isPast ? 'events.past' : STATUS_LABELS[event.status]} />
        </li>
        {event.isRegistered && (
          <li className={clsx(styles.sign, styles.registered)}>
            <Icon of={CircleCheck} size={18} />
            <FormattedMessage id="events.registered" />
          </li>
        )}
      </ul>
      <p className={styles.description}>{event.description}</p>
      <dl className={styles.facts}>
        {facts.map(({ icon, label, fact }) => (
          <div key={label} className={styles.fact}>
            <Icon of={icon} size={20} />
            <dt>
              <FormattedMessage id={label} />
            </dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
