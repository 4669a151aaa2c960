import { memo } from 'react';

import type { Day } from '../../calendar/day';
import type { SailingEvent } from '../../events/event';
import { shownOf } from '../../events/schedule';
import * as styles from './DayCell.module.css';
import { EventPill } from './EventPill';
import { MoreButton } from './MoreButton';
import { dateOf, useFormats } from './useFormats';

interface DayCellProps {
  day: Day;
  /** Whether it is a day of the month before or after. */
  isOutside: boolean;
  today: Day;
  events: readonly SailingEvent[];
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** A day on the page of a calendar, with the first of its events. */
export const DayCell = memo(function DayCell({
  day,
  isOutside,
  today,
  events,
  onOpenDay,
  onOpenEvent,
}: DayCellProps) {
  const format = useFormats();
  const { shown, more } = shownOf(events);
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
              <EventPill event={event} onOpen={onOpenEvent} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <MoreButton day={day} count={more} onOpen={onOpenDay} className={styles.more} />}
    </td>
  );
});
