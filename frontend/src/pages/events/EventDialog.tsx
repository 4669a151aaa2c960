import { clsx } from 'clsx';
import { CalendarDays, Clock, Gauge, MapPin, UserRound, Users } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../features/calendar';
import { type SailingEvent, useEventFormats } from '../../features/events/event';
import type { MessageId } from '../../i18n/catalogues';
import { useT } from '../../i18n/LanguageProvider';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { Facts } from '../../ui/Facts';
import { hideVisually } from '../../ui/hideVisually';
import { EVENT_TYPE_DISPLAY, TypeMark } from './eventTypes';
import * as styles from './eventTypes.module.css';

const DIFFICULTY_LABELS: Record<SailingEvent['difficulty'], MessageId> = {
  all: 'events.allLevels',
  beginner: 'events.beginner',
  intermediate: 'events.intermediate',
  advanced: 'events.advanced',
};

interface EventDialogProps {
  event: SailingEvent;
  today: Day;
  onClose: () => void;
}

export function EventDialog({ event, today, onClose }: EventDialogProps) {
  const t = useT();
  const format = useEventFormats();
  const opensAtLaunch = useOpensAtLaunch();
  const { participants, maxParticipants } = event;
  const isPast = event.date < today;
  const left = Math.max((maxParticipants ?? Infinity) - participants, 0);
  const whyNotJoin = isPast
    ? 'events.isOver'
    : event.isRegistered
      ? 'events.haveJoined'
      : left === 0 && 'events.fullyBooked';

  return (
    <Dialog
      onClose={onClose}
      title={event.title}
      footer={
        <DialogAction
          summary={
            <p className="title">
              <FormattedMessage
                id="events.price"
                values={{ price: format.price(event), hidden: hideVisually }}
              />
            </p>
          }
        >
          {whyNotJoin ? (
            <p className="second">{t(whyNotJoin)}</p>
          ) : (
            <Button onClick={opensAtLaunch}>{t('events.join')}</Button>
          )}
        </DialogAction>
      }
    >
      <div className="stack">
        <p className={clsx('pill', styles.typeColor, styles.tint)} data-type={event.type}>
          <TypeMark type={event.type} />
          <span>{t(EVENT_TYPE_DISPLAY[event.type].label)}</span>
        </p>
        <p>{event.description}</p>
        <Facts
          facts={[
            {
              icon: CalendarDays,
              label: 'events.date',
              value: <span className="capital">{format.fullDay(event.date)}</span>,
            },
            { icon: Clock, label: 'events.time', value: format.hours(event) },
            { icon: MapPin, label: 'events.location', value: event.location },
            { icon: UserRound, label: 'events.organizer', value: event.organizer },
            {
              icon: Users,
              label: 'events.participants',
              value: t('events.participantCount', {
                count: participants,
                limited: String(maxParticipants !== undefined && !isPast),
                left,
              }),
            },
            { icon: Gauge, label: 'events.difficulty', value: t(DIFFICULTY_LABELS[event.difficulty]) },
          ]}
        />
      </div>
    </Dialog>
  );
}
