import { clsx } from 'clsx';
import { CalendarDays, CircleCheck, Clock, Gauge, MapPin, UserRound, Users } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { placesLeft } from '../../events/schedule';
import { Icon } from '../../ui/Icon';
import * as styles from './EventDetails.module.css';
import { hidden } from './hidden';
import { DIFFICULTY_LABELS, STATUS_LABELS, TYPE_LABELS } from './labels';
import * as typeColour from './typeColour.module.css';
import { TypeMark } from './TypeMark';
import { useFormats } from './useFormats';

/** Everything known about an event. */
export function EventDetails({ event, today }: { event: SailingEvent; today: Day }) {
  const format = useFormats();
  const left = placesLeft(event);

  const facts = [
    { icon: CalendarDays, label: 'events.date', fact: format.fullDay(event.date) },
    { icon: Clock, label: 'events.time', fact: format.hours(event) },
    { icon: MapPin, label: 'events.location', fact: <span lang="en">{event.location}</span> },
    { icon: UserRound, label: 'events.organizer', fact: <span lang="en">{event.organizer}</span> },
    {
      icon: Users,
      label: 'events.participants',
      fact:
        left === undefined ? (
          <FormattedMessage id="events.participantCount" values={{ count: event.participants }} />
        ) : (
          <FormattedMessage id="events.participantsAndPlaces" values={{ count: event.participants, left }} />
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
      <div className={styles.head}>
        <ul className={styles.signs}>
          <li className={clsx(typeColour.typed, styles.sign)} data-type={event.type}>
            <TypeMark type={event.type} />
            <FormattedMessage id={TYPE_LABELS[event.type]} />
          </li>
          <li className={styles.sign}>
            <FormattedMessage id={event.date < today ? 'events.past' : STATUS_LABELS[event.status]} />
          </li>
          {event.isRegistered && (
            <li className={clsx(styles.sign, styles.registered)}>
              <Icon of={CircleCheck} size={18} />
              <FormattedMessage id="events.registered" />
            </li>
          )}
        </ul>
        <p className={styles.price}>
          <FormattedMessage id="events.price" values={{ price: format.price(event), hidden }} />
        </p>
      </div>
      <p className={styles.description} lang="en">
        {event.description}
      </p>
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
