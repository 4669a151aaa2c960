import { clsx } from 'clsx';
import { CalendarDays, CircleCheck, Clock, Gauge, MapPin, UserRound, Users } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import type { Day } from '../../features/calendar/day';
import { countPlacesLeft, type Difficulty, type SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import type { MessageId } from '../../i18n/catalogues';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { hideVisually } from '../../ui/hideVisually';
import { Icon } from '../../ui/Icon';
import * as styles from './EventDialog.module.css';
import { EVENT_TYPE_DISPLAY, TypeMark } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';

const DIFFICULTY_LABELS: Record<Difficulty, MessageId> = {
  all: 'events.allLevels',
  beginner: 'events.beginner',
  intermediate: 'events.intermediate',
  advanced: 'events.advanced',
};

const STATUS_LABELS: Record<SailingEvent['status'], MessageId> = { upcoming: 'events.upcomingStatus' };

interface EventDialogProps {
  event: SailingEvent;
  today: Day;
  onClose: () => void;
}

export function EventDialog({ event, today, onClose }: EventDialogProps) {
  const t = useT();
  const format = useEventFormats();
  const isPast = event.date < today;
  const left = isPast ? undefined : countPlacesLeft(event);

  const facts = [
    { icon: CalendarDays, label: 'events.date', fact: format.fullDay(event.date) },
    { icon: Clock, label: 'events.time', fact: format.hours(event) },
    { icon: MapPin, label: 'events.location', fact: event.location },
    { icon: UserRound, label: 'events.organizer', fact: event.organizer },
    {
      icon: Users,
      label: 'events.participants',
      fact: t('events.participantCount', {
        count: event.participants,
        limited: String(left !== undefined),
        left: left ?? 0,
      }),
    },
    { icon: Gauge, label: 'events.difficulty', fact: t(DIFFICULTY_LABELS[event.difficulty]) },
  ] as const;

  return (
    <Dialog onClose={onClose} title={event.title} footer={<Participation event={event} isPast={isPast} />}>
      <div className="stack">
        <ul className="wrap">
          <li className={clsx(eventTypes.typeColor, styles.tag)} data-type={event.type}>
            <TypeMark type={event.type} />
            <FormattedMessage id={EVENT_TYPE_DISPLAY[event.type].label} />
          </li>
          <li className={styles.tag}>{t(isPast ? 'events.past' : STATUS_LABELS[event.status])}</li>
          {event.isRegistered && (
            <li className={clsx(styles.tag, styles.registeredTag)}>
              <Icon icon={CircleCheck} size={18} />
              <FormattedMessage id="events.registered" />
            </li>
          )}
        </ul>
        <p className={styles.description}>{event.description}</p>
        <dl className={styles.facts}>
          {facts.map(({ icon, label, fact }) => (
            <div key={label} className={styles.fact}>
              <Icon icon={icon} size={20} />
              <dt>{t(label)}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}

/** Render the price and a button to join, or why there is none. */
function Participation({ event, isPast }: { event: SailingEvent; isPast: boolean }) {
  const t = useT();
  const format = useEventFormats();
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <DialogAction
      summary={
        <p className={styles.price}>
          <FormattedMessage id="events.price" values={{ price: format.price(event), hidden: hideVisually }} />
        </p>
      }
    >
      {isPast ? (
        <p className={styles.reason}>{t('events.isOver')}</p>
      ) : event.isRegistered ? (
        <p className={clsx(styles.reason, styles.registered)}>
          <Icon icon={CircleCheck} size={20} />
          <FormattedMessage id="events.haveJoined" />
        </p>
      ) : countPlacesLeft(event) === 0 ? (
        <p className={styles.reason}>{t('events.fullyBooked')}</p>
      ) : (
        <Button onClick={opensAtLaunch}>{t('events.join')}</Button>
      )}
    </DialogAction>
  );
}
