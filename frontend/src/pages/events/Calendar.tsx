import { ChevronLeft, ChevronRight } from 'lucide';
import { useDeferredValue, useId, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { addMonths, type Month, monthOf } from '../../calendar/month';
import type { SailingEvent } from '../../events/event';
import { countIn } from '../../events/schedule';
import { useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Calendar.module.css';
import { hidden } from './hidden';
import { MonthAgenda } from './MonthAgenda';
import { MonthStep } from './MonthStep';
import { MonthTable } from './MonthTable';
import { useFormats } from './useFormats';

interface CalendarProps {
  month: Month;
  today: Day;
  /** The events that show: by their days, and all of them. */
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  events: readonly SailingEvent[];
  onTurn: (month: Month) => void;
  /** The same functions at every render. */
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/** The month: as a page of a calendar, or where there is no room for that, as a list by day. */
export function Calendar({ month, today, days, events, onTurn, onOpenDay, onOpenEvent }: CalendarProps) {
  const { formatMessage } = useIntl();
  const format = useFormats();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isWide = useMediaQuery('(width >= 768px)');
  const present = monthOf(today);
  // A list may begin at another day of the month: there the way home never ends.
  const isHome = isWide && month === present;
  const [returns, setReturns] = useState(0);
  // The page follows its name when there is time.
  const page = useDeferredValue(month);

  function goHome() {
    if (isHome) return;
    setReturns(returns + 1);
    onTurn(present);
  }

  return (
    <section aria-labelledby={headingId} className={styles.calendar}>
      <div className={styles.head}>
        <h2 ref={heading} id={headingId} tabIndex={-1} className={styles.month}>
          {format.month(month)}
        </h2>
        <p role="status" className={styles.count}>
          <FormattedMessage
            id="events.count"
            values={{ month: format.month(page), count: countIn(page, events), hidden }}
          />
        </p>
        <div className={styles.turn}>
          {/* It keeps the focus when there is nowhere to go any more. */}
          <button type="button" className={styles.today} aria-disabled={isHome || undefined} onClick={goHome}>
            <FormattedMessage id="events.today" />
          </button>
          <MonthStep
            label={formatMessage({ id: 'events.previousMonth' })}
            icon={ChevronLeft}
            to={addMonths(month, -1)}
            onTurn={onTurn}
          />
          <MonthStep
            label={formatMessage({ id: 'events.nextMonth' })}
            icon={ChevronRight}
            to={addMonths(month, 1)}
            onTurn={onTurn}
          />
        </div>
      </div>
      {isWide ? (
        <MonthTable month={page} today={today} days={days} onOpenDay={onOpenDay} onOpenEvent={onOpenEvent} />
      ) : (
        <MonthAgenda
          // Each month begins at its own first day that matters, and does so anew when it is come home to.
          key={`${page} ${returns}`}
          month={page}
          today={today}
          days={days}
          onTurn={(next) => {
            // The button that was pressed goes with the month.
            heading.current?.focus();
            onTurn(next);
          }}
          onOpenDay={onOpenDay}
          onOpenEvent={onOpenEvent}
        />
      )}
    </section>
  );
}
