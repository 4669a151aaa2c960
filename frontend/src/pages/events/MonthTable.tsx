import { clsx } from 'clsx';
import { CircleCheck } from 'lucide';

import { type Day, getDayOfMonth } from '../../features/calendar/day';
import { FIRST_WEEKDAY, getMonth, listWeeks, type Month } from '../../features/calendar/month';
import { limitPerDay, type SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { useLanguage, useT } from '../../i18n/LanguageProvider';
import { Icon } from '../../ui/Icon';
import { EVENT_TYPE_DISPLAY } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';
import * as styles from './MonthTable.module.css';
import { MoreButton } from './DayDialog';

interface MonthTableProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

export function MonthTable({ month, today, days, onOpenDay, onOpenEvent }: MonthTableProps) {
  const t = useT();
  const language = useLanguage();
  const format = useEventFormats();
  const weeks = listWeeks(month, FIRST_WEEKDAY[language]);

  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('events.calendarOf', { month: format.month(month) })}</caption>
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
}

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

function DayCell({ day, isOutside, today, events, onOpenDay, onOpenEvent }: DayCellProps) {
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
}

interface EventPillProps {
  event: SailingEvent;
  /** Whether to leave out the time. */
  isCompact: boolean;
  onOpen: (event: SailingEvent) => void;
}

/** Render an event in a cell of the calendar. */
function EventPill({ event, isCompact, onOpen }: EventPillProps) {
  const t = useT();
  const format = useEventFormats();
  const { title, type, isRegistered } = event;
  const time = format.start(event);
  return (
    <button
      type="button"
      className={clsx(eventTypes.typeColor, styles.pill)}
      data-type={type}
      data-compact={isCompact}
      aria-haspopup="dialog"
      aria-label={t('events.pill', {
        title,
        time,
        type: t(EVENT_TYPE_DISPLAY[type].label),
        registered: String(isRegistered),
      })}
      data-track="event"
      data-track-item={event.id}
      onClick={() => onOpen(event)}
    >
      <span className={styles.eventTitle}>{title}</span>
      <span className={styles.eventTime}>
        <Icon icon={EVENT_TYPE_DISPLAY[type].icon} size={14} />
        {!isCompact && <span>{time}</span>}
        {isRegistered && <Icon icon={CircleCheck} size={14} />}
      </span>
    </button>
  );
}
