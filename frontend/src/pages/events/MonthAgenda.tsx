import { clsx } from 'clsx';
import { CalendarDays } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'react';

import {
  addMonths,
  type Day,
  getDayOfMonth,
  getFirstDay,
  getMonth,
  listDays,
  type Month,
} from '../../features/calendar';
import { useEventFormats } from '../../features/events/event';
import { useT } from '../../i18n/LanguageProvider';
import { Button } from '../../ui/Button';
import { StateCard } from '../../ui/StateCard';
import { MoreButton } from './DayDialog';
import { EventRow } from './EventRow';
import { MAX_EVENTS_PER_DAY } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';
import * as styles from './MonthAgenda.module.css';
import type { MonthProps } from './MonthTable';

interface MonthAgendaProps extends MonthProps {
  onMonthChange: (month: Month) => void;
}

/** Render a strip of the days of a month and the events from the selected day on, initially from today. */
export function MonthAgenda({ onMonthChange, ...view }: MonthAgendaProps) {
  const { month, today, days, onOpenDay, onOpenEvent } = view;
  const t = useT();
  const format = useEventFormats();
  const [firstDay, setFirstDay] = useState(getMonth(today) === month ? today : getFirstDay(month));
  const daysWithEvents = listDays(month).filter((day) => days.has(day));
  const listed = daysWithEvents.filter((day) => day >= firstDay);

  return (
    <>
      <MonthStrip {...view} selected={firstDay} onSelect={setFirstDay} />
      {listed.length > 0 ? (
        <>
          {!days.has(firstDay) && (
            <p className={clsx('muted capital', styles.none)}>
              {t('events.dayCount', { day: format.day(firstDay), count: 0 })}
            </p>
          )}
          <ol className="stack">
            {listed.map((day) => {
              const events = days.get(day) ?? [];
              return (
                <li key={day} className={styles.day}>
                  <h3 className="label capital" aria-current={day === today ? 'date' : undefined}>
                    {format.day(day)}
                  </h3>
                  <ul className={styles.events}>
                    {events.slice(0, MAX_EVENTS_PER_DAY).map((event) => (
                      <li key={event.id}>
                        <EventRow event={event} onOpen={onOpenEvent} />
                      </li>
                    ))}
                  </ul>
                  <MoreButton day={day} events={events} onOpen={onOpenDay} />
                </li>
              );
            })}
          </ol>
        </>
      ) : (
        <StateCard
          icon={CalendarDays}
          title={t(daysWithEvents.length > 0 ? 'events.noneFromDay' : 'events.noneInMonth')}
          action={
            <Button variant="secondary" onClick={() => onMonthChange(addMonths(month, 1))}>
              {t('events.showNextMonth')}
            </Button>
          }
        />
      )}
    </>
  );
}

interface MonthStripProps extends MonthProps {
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
              <span className="label">{getDayOfMonth(day)}</span>
              <span className={styles.dots}>
                {events.slice(0, MAX_EVENTS_PER_DAY).map(({ id, type }) => (
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
