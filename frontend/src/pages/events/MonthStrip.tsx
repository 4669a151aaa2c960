import { clsx } from 'clsx';
import { memo, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { daysOf, type Month } from '../../calendar/month';
import type { SailingEvent } from '../../events/event';
import { shownOf } from '../../events/schedule';
import * as styles from './MonthStrip.module.css';
import * as typeColour from './typeColour.module.css';
import { dateOf, useFormats } from './useFormats';

interface MonthStripProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  /** The day that is chosen. */
  from: Day;
  onChoose: (day: Day) => void;
}

/** The days of a month in a row, each with a dot for every event that shows. */
export const MonthStrip = memo(function MonthStrip({ month, today, days, from, onChoose }: MonthStripProps) {
  const { formatMessage } = useIntl();
  const format = useFormats();
  const strip = useRef<HTMLOListElement>(null);

  // The strip begins where its day is in the middle.
  useLayoutEffect(() => {
    const chosen = strip.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (strip.current && chosen) {
      strip.current.scrollLeft = chosen.offsetLeft - (strip.current.clientWidth - chosen.offsetWidth) / 2;
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
              aria-pressed={day === from}
              aria-current={day === today ? 'date' : undefined}
              aria-label={formatMessage(
                { id: 'events.dayCount' },
                { day: format.day(day), count: events.length },
              )}
              onClick={() => onChoose(day)}
            >
              <span className={styles.weekday}>{format.weekday(day, 'short')}</span>
              <span className={styles.date}>{dateOf(day)}</span>
              <span className={styles.dots}>
                {shownOf(events).shown.map(({ id, type }) => (
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
