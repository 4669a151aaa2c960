import { memo } from 'react';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { limitPerDay } from '../../events/schedule';
import { useEventFormats } from '../../events/useEventFormats';
import * as styles from './AgendaDay.module.css';
import { EventRow } from './EventRow';
import { MoreButton } from './MoreButton';

interface AgendaDayProps {
  day: Day;
  isToday: boolean;
  events: readonly SailingEvent[];
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

export const AgendaDay = memo(function AgendaDay({
  day,
  isToday,
  events,
  onOpenDay,
  onOpenEvent,
}: AgendaDayProps) {
  const format = useEventFormats();
  const { shown, more } = limitPerDay(events);
  return (
    <>
      <h3 className={styles.day} aria-current={isToday ? 'date' : undefined}>
        {format.day(day)}
      </h3>
      <ul className={styles.events}>
        {shown.map((event) => (
          <li key={event.id}>
            <EventRow event={event} onOpen={onOpenEvent} />
          </li>
        ))}
      </ul>
      {more > 0 && <MoreButton day={day} count={more} onOpen={onOpenDay} className={styles.more} />}
    </>
  );
});
