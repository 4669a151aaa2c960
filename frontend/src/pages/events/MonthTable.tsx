import { memo, useMemo } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { type Month, monthOf, weeksOf } from '../../calendar/month';
import { FIRST_WEEKDAY } from '../../calendar/weekStart';
import type { SailingEvent } from '../../events/event';
import { useLanguage } from '../../i18n/LanguageProvider';
import { DayCell } from './DayCell';
import * as styles from './MonthTable.module.css';
import { useFormats } from './useFormats';

interface MonthTableProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** A page of a calendar: a row for each week, a column for each weekday. */
export const MonthTable = memo(function MonthTable({
  month,
  today,
  days,
  onOpenDay,
  onOpenEvent,
}: MonthTableProps) {
  const { language } = useLanguage();
  const format = useFormats();
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
                events={days.get(day) ?? NONE}
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

const NONE: readonly SailingEvent[] = [];
