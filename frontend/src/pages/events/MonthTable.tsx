import { clsx } from 'clsx';
import { CircleCheck } from 'lucide';

import {
  type Day,
  FIRST_WEEKDAY,
  getDayOfMonth,
  getMonth,
  listWeeks,
  type Month,
} from '../../features/calendar';
import { type SailingEvent, useEventFormats } from '../../features/events/event';
import { useLanguage, useT } from '../../i18n/LanguageProvider';
import { Icon } from '../../ui/Icon';
import { MoreButton } from './DayDialog';
import { EVENT_TYPE_DISPLAY, MAX_EVENTS_PER_DAY } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';
import * as styles from './MonthTable.module.css';

export interface MonthProps {
  month: Month;
  today: Day;
  /** The filtered events by day. */
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

export function MonthTable({ month, today, days, onOpenDay, onOpenEvent }: MonthProps) {
  const t = useT();
  const format = useEventFormats();
  const weeks = listWeeks(month, FIRST_WEEKDAY[useLanguage()]);

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
            {week.map((day) => {
              const events = days.get(day) ?? [];
              const date = getDayOfMonth(day);
              const isOutside = getMonth(day) !== month;
              return (
                <td
                  key={day}
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
                  {events.length > 0 && (
                    <ul className={styles.events}>
                      {events.slice(0, MAX_EVENTS_PER_DAY).map((event) => (
                        <li key={event.id}>
                          <EventPill event={event} onOpen={onOpenEvent} />
                        </li>
                      ))}
                    </ul>
                  )}
                  <MoreButton day={day} events={events} onOpen={onOpenDay} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Render an event in a cell of the calendar; its time is in its details. */
function EventPill({ event, onOpen }: { event: SailingEvent; onOpen: MonthProps['onOpenEvent'] }) {
  const t = useT();
  const format = useEventFormats();
  const { title, type, isRegistered } = event;
  return (
    <button
      type="button"
      className={clsx(eventTypes.typeColor, styles.event)}
      data-type={type}
      aria-haspopup="dialog"
      aria-label={t('events.pill', {
        title,
        time: format.start(event),
        type: t(EVENT_TYPE_DISPLAY[type].label),
        registered: String(isRegistered),
      })}
      data-track="event"
      data-track-item={event.id}
      onClick={() => onOpen(event)}
    >
      <Icon icon={EVENT_TYPE_DISPLAY[type].icon} size={14} />
      {isRegistered && <Icon icon={CircleCheck} size={14} />}
      <span>{title}</span>
    </button>
  );
}
