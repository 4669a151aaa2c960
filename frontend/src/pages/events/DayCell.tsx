import { memo } from 'react';

import { dateOf, type Day } from '../../calendar/day';
import type { SailingEvent } from '../../features/events/event';
import { limitPerDay } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import * as styles from './DayCell.module.css';
import { EventPill } from './EventPill';
import { MoreButton } from './MoreButton';

interface DayCellProps {
  day: Day;
  /** Whether the day belongs to an adjacent month. */
  isOutside: boolean;
  today: Day;
  events: readonly SailingEvent[];
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

export const DayCell = memo(function DayCell({
  day,
  isOutside,
  today,
  events,
  onOpenDay,
  onOpenEvent,
}: DayCellProps) {
  const format = useEventFormats();
  const { shown, more } = limitPerDay(events);
  const date = dateOf(day);
  return (
    <td
      className={styles.cell}
      data-outside={isOutside}
      data-past={day < today}
      aria-current={day === today ? 'date' : undefined}
    >
      <time dateTime={day} className={styles.date}>
        <span aria-hidden="true" className={styles.number}>
          {isOutside && date === 1 ? format.shortDay(day) : date}
        </span>
        <span className="visually-hidden">{format.day(day)}</span>
      </time>
      {shown.length > 0 && (
        <ul className={styles.events}>
          {shown.map((event) => (
            <li key={event.id}>
              <EventPill event={event} isCompact={shown.length > 2} onOpen={onOpenEvent} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <MoreButton day={day} count={more} onOpen={onOpenDay} className={styles.more} />}
    </td>
  );
});
