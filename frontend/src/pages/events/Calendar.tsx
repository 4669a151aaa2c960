import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide';
import { useId, useState } from 'react';

import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import type { Day } from '../../features/calendar/day';
import { addMonths, getMonth, isMonth, type Month } from '../../features/calendar/month';
import { countInMonth, type SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { hideVisually } from '../../ui/hideVisually';
import { IconButton } from '../../ui/IconButton';
import { TABLET_UP, useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Calendar.module.css';
import { MonthAgenda } from './MonthAgenda';
import { MonthTable } from './MonthTable';

interface CalendarProps {
  month: Month;
  today: Day;
  /** The filtered events by day. */
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  /** The filtered events. */
  events: readonly SailingEvent[];
  onMonthChange: (month: Month) => void;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** Render a month: as a table or, in a narrow window, as a list by day. */
export function Calendar({
  month,
  today,
  days,
  events,
  onMonthChange,
  onOpenDay,
  onOpenEvent,
}: CalendarProps) {
  const t = useT();
  const format = useEventFormats();
  const headingId = useId();
  const isWide = useMediaQuery(TABLET_UP);
  const currentMonth = getMonth(today);
  const previous = addMonths(month, -1);
  const next = addMonths(month, 1);
  // In the list "Today" also leads back from another day of the month, so it is never disabled there.
  const isAtToday = isWide && month === currentMonth;
  const [todayClicks, setTodayClicks] = useState(0);

  function showToday() {
    if (isAtToday) return;
    setTodayClicks(todayClicks + 1);
    onMonthChange(currentMonth);
  }

  return (
    <section aria-labelledby={headingId} className={styles.calendar}>
      <div className={styles.header}>
        <h2 id={headingId} className={clsx('title', styles.month)}>
          {format.month(month)}
        </h2>
        <p role="status" className={clsx('muted', styles.count)}>
          <FormattedMessage
            id="events.count"
            values={{ month: format.month(month), count: countInMonth(events, month), hidden: hideVisually }}
          />
        </p>
        <div className={clsx('screen-only', styles.navigation)}>
          {/* aria-disabled keeps the focus, unlike disabled. */}
          <button
            type="button"
            className={styles.today}
            aria-disabled={isAtToday || undefined}
            onClick={showToday}
          >
            {t('events.today')}
          </button>
          <IconButton
            label={t('events.previousMonth')}
            icon={ChevronLeft}
            isOff={!isMonth(previous)}
            onClick={() => onMonthChange(previous)}
            className={styles.step}
          />
          <IconButton
            label={t('events.nextMonth')}
            icon={ChevronRight}
            isOff={!isMonth(next)}
            onClick={() => onMonthChange(next)}
            className={styles.step}
          />
        </div>
      </div>
      {isWide ? (
        <MonthTable month={month} today={today} days={days} onOpenDay={onOpenDay} onOpenEvent={onOpenEvent} />
      ) : (
        <MonthAgenda
          // Reset the selected day on a new month and on "Today".
          key={`${month} ${todayClicks}`}
          month={month}
          today={today}
          days={days}
          onMonthChange={onMonthChange}
          onOpenDay={onOpenDay}
          onOpenEvent={onOpenEvent}
        />
      )}
    </section>
  );
}
