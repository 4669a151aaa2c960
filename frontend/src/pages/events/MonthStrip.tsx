import { clsx } from 'clsx';
import { memo, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import { dateOf, type Day } from '../../calendar/day';
import { daysOf, type Month } from '../../calendar/month';
import type { SailingEvent } from '../../features/events/event';
import { limitPerDay } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import * as styles from './MonthStrip.module.css';
import * as typeColour from './typeColour.module.css';

interface MonthStripProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  selected: Day;
  onSelect: (day: Day) => void;
}

/** Render the days of a month in a row, each with a dot per event up to the limit. */
export const MonthStrip = memo(function MonthStrip({
  month,
  today,
  days,
  selected,
  onSelect,
}: MonthStripProps) {
  const { formatMessage } = useIntl();
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
      className={styles.strip}
      aria-label={formatMessage({ id: 'events.daysOf' }, { month: format.month(month) })}
    >
      {daysOf(month).map((day) => {
        const events = days.get(day) ?? [];
        return (
          <li key={day}>
            <button
              type="button"
              className={styles.day}
              aria-pressed={day === selected}
              aria-current={day === today ? 'date' : undefined}
              aria-label={formatMessage(
                { id: 'events.dayCount' },
                { day: format.day(day), count: events.length },
              )}
              onClick={() => onSelect(day)}
            >
              <span className={styles.weekday}>{format.weekday(day, 'short')}</span>
              <span className={styles.date}>{dateOf(day)}</span>
              <span className={styles.dots}>
                {limitPerDay(events).shown.map(({ id, type }) => (
                  <span key={id} className={clsx(typeColour.typed, styles.dot)} data-type={type} />
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
});
