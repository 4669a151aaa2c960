import { CalendarDays } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useT } from '../../i18n/LanguageProvider';
import { clsx } from 'clsx';

import { type Day, getDayOfMonth } from '../../features/calendar/day';
import {
  addMonths,
  getFirstDay,
  getMonth,
  isMonth,
  listDays,
  type Month,
} from '../../features/calendar/month';
import { limitPerDay, type SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { EventRow } from './EventRow';
import * as eventTypes from './eventTypes.module.css';
import * as styles from './MonthAgenda.module.css';
import { MoreButton } from './DayDialog';

interface MonthAgendaProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onMonthChange: (month: Month) => void;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render a strip of the days of a month and the events from the selected day on, initially from today. */
export function MonthAgenda({ month, today, days, onMonthChange, onOpenDay, onOpenEvent }: MonthAgendaProps) {
  const t = useT();
  const format = useEventFormats();
  const [firstDay, setFirstDay] = useState(getMonth(today) === month ? today : getFirstDay(month));
  const daysWithEvents = listDays(month).filter((day) => days.has(day));
  const listed = daysWithEvents.filter((day) => day >= firstDay);
  const next = addMonths(month, 1);

  return (
    <>
      <MonthStrip month={month} today={today} days={days} selected={firstDay} onSelect={setFirstDay} />
      {listed.length > 0 && !days.has(firstDay) && (
        <p className={clsx('muted', styles.none)}>
          {t('events.dayCount', { day: format.day(firstDay), count: 0 })}
        </p>
      )}
      {listed.length > 0 ? (
        <ol className={clsx('stack', styles.days)}>
          {listed.map((day) => {
            const { shown, more } = limitPerDay(days.get(day) ?? []);
            return (
              <li key={day}>
                <h3 className={styles.day} aria-current={day === today ? 'date' : undefined}>
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
              </li>
            );
          })}
        </ol>
      ) : (
        <EmptyState
          icon={CalendarDays}
          title={
            <FormattedMessage id={daysWithEvents.length > 0 ? 'events.noneFromDay' : 'events.noneInMonth'} />
          }
          hint={t('events.noneHint')}
          action={
            isMonth(next) && (
              <Button variant="secondary" onClick={() => onMonthChange(next)}>
                {t('events.showNextMonth')}
              </Button>
            )
          }
        />
      )}
    </>
  );
}

interface MonthStripProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  selected: Day;
  onSelect: (day: Day) => void;
}

/** Render the days of a month in a row, each with a dot per event up to the limit. */
function MonthStrip({ month, today, days, selected, onSelect }: MonthStripProps) {
  const t = useT();
  const format = useEventFormats();
  const strip = useRef<HTMLOListElement>(null);

  // Scroll the selected day to the middle.
  useLayoutEffect(() => {
    const selectedDay = strip.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (strip.current && selectedDay) {
      strip.current.scrollLeft =
        selectedDay.offsetLeft - (strip.current.clientWidth - selectedDay.offsetWidth) / 2;
    }
  }, []);

  return (
    <ol
      ref={strip}
      className={clsx('screen-only', styles.strip)}
      aria-label={t('events.daysOf', { month: format.month(month) })}
    >
      {listDays(month).map((day) => {
        const events = days.get(day) ?? [];
        return (
          <li key={day}>
            <button
              type="button"
              className={styles.dayButton}
              aria-pressed={day === selected}
              aria-current={day === today ? 'date' : undefined}
              aria-label={t('events.dayCount', { day: format.day(day), count: events.length })}
              onClick={() => onSelect(day)}
            >
              <span className={styles.weekday}>{format.weekday(day, 'short')}</span>
              <span className={styles.date}>{getDayOfMonth(day)}</span>
              <span className={styles.dots}>
                {limitPerDay(events).shown.map(({ id, type }) => (
                  <span key={id} className={clsx(eventTypes.typeColor, styles.dot)} data-type={type} />
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
