import { memo, useMemo } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { FIRST_WEEKDAY, type Month, monthOf, weeksOf } from '../../calendar/month';
import type { SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { useLanguage } from '../../i18n/LanguageProvider';
import { DayCell } from './DayCell';
import * as styles from './MonthTable.module.css';

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
  const weeks = useMemo(() => weeksOf(month, FIRST_WEEKDAY[language]), [month, language]);

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
                isOutside={monthOf(day) !== month}
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
