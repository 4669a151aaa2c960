import { memo } from 'react';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { shownOf } from '../../events/schedule';
import * as styles from './AgendaDay.module.css';
import { EventRow } from './EventRow';
import { MoreButton } from './MoreButton';
import { useFormats } from './useFormats';

interface AgendaDayProps {
  day: Day;
  isToday: boolean;
  events: readonly SailingEvent[];
  /** The same functions at every render. */
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** A day in the list of a month, with the first of its events. */
export const AgendaDay = memo(function AgendaDay({
  day,
  isToday,
  events,
  onOpenDay,
  onOpenEvent,
}: AgendaDayProps) {
  const format = useFormats();
  const { shown, more } = shownOf(events);
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
