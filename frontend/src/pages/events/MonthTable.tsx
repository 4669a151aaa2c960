import { memo, useMemo } from 'react';
import { FormattedMessage } from 'react-intl';

import { type Day, getDayOfMonth } from '../../calendar/day';
import { FIRST_WEEKDAY, getMonth, listWeeks, type Month } from '../../calendar/month';
import { limitPerDay, type SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { useLanguage } from '../../i18n/LanguageProvider';
import { EventPill } from './EventPill';
import * as styles from './MonthTable.module.css';
import { MoreButton } from './MoreButton';

interface MonthTableProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

export const MonthTable = memo(function MonthTable({
  month,
  today,
  days,
  onOpenDay,
  onOpenEvent,
}: MonthTableProps) {
  const { language } = useLanguage();
  const format = useEventFormats();
  const weeks = useMemo(() => listWeeks(month, FIRST_WEEKDAY[language]), [month, language]);

  return (
    <table className={styles.table}>
      <caption className="visually-hidden">
        <FormattedMessage id="events.calendarOf" values={{ month: format.month(month) }} />
      </caption>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className={styles.weekday}>
              <span aria-hidden="true">{format.weekday(day, 'short')}</span>
              <span className="visually-hidden">{format.weekday(day, 'long')}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                isOutside={getMonth(day) !== month}
                today={today}
                events={days.get(day) ?? NO_EVENTS}
                onOpenDay={onOpenDay}
                onOpenEvent={onOpenEvent}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
});

const NO_EVENTS: readonly SailingEvent[] = [];

interface DayCellProps {
  day: Day;
  /** Whether the day belongs to an adjacent month. */
  isOutside: boolean;
  today: Day;
  events: readonly SailingEvent[];
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

const DayCell = memo(function DayCell({
  day,
  isOutside,
  today,
  events,
  onOpenDay,
  onOpenEvent,
}: DayCellProps) {
  const format = useEventFormats();
  const { shown, more } = limitPerDay(events);
  const date = getDayOfMonth(day);
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
