import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide';
import { useId, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { addMonths, getMonth, listDays, type Month } from '../../features/calendar';
import { useEventFormats } from '../../features/events/event';
import { useT } from '../../i18n/LanguageProvider';
import { Button } from '../../ui/Button';
import { hideVisually } from '../../ui/hideVisually';
import { IconButton } from '../../ui/IconButton';
import { TABLET_UP, useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Calendar.module.css';
import { MonthAgenda } from './MonthAgenda';
import { type MonthProps, MonthTable } from './MonthTable';

interface CalendarProps extends MonthProps {
  onMonthChange: (month: Month) => void;
}

/** Render a month: as a table or, in a narrow window, as a list by day. */
export function Calendar({ onMonthChange, ...view }: CalendarProps) {
  const { month, today, days } = view;
  const t = useT();
  const headingId = useId();
  const isWide = useMediaQuery(TABLET_UP);
  const monthName = useEventFormats().month(month);
  const [todayClicks, setTodayClicks] = useState(0);

  function showToday() {
    setTodayClicks(todayClicks + 1);
    onMonthChange(getMonth(today));
  }

  return (
    <section aria-labelledby={headingId} className={styles.calendar}>
      <div className={styles.header}>
        <h2 id={headingId} className={clsx('title capital', styles.month)}>
          {monthName}
        </h2>
        <p role="status" className={clsx('muted', styles.count)}>
          <FormattedMessage
            id="events.count"
            values={{
              month: monthName,
              count: listDays(month).flatMap((day) => days.get(day) ?? []).length,
              hidden: hideVisually,
            }}
          />
        </p>
        <div className={clsx('screen-only', styles.navigation)}>
          <Button variant="secondary" className={styles.today} onClick={showToday}>
            {t('events.today')}
          </Button>
          <IconButton
            icon={ChevronLeft}
            label={t('events.previousMonth')}
            className={styles.step}
            onClick={() => onMonthChange(addMonths(month, -1))}
          />
          <IconButton
            icon={ChevronRight}
            label={t('events.nextMonth')}
            className={styles.step}
            onClick={() => onMonthChange(addMonths(month, 1))}
          />
        </div>
      </div>
      {isWide ? (
        <MonthTable {...view} />
      ) : (
        // A new month and "Today" select their first day anew.
        <MonthAgenda key={`${month} ${todayClicks}`} {...view} onMonthChange={onMonthChange} />
      )}
    </section>
  );
}
