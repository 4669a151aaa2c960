import { CalendarDays } from 'lucide';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { addMonths, daysOf, firstDayOf, isMonth, type Month, monthOf } from '../../calendar/month';
import type { SailingEvent } from '../../features/events/event';
import { limitPerDay } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { EventRow } from './EventRow';
import * as styles from './MonthAgenda.module.css';
import { MoreButton } from './MoreButton';
import { MonthStrip } from './MonthStrip';

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
  const format = useEventFormats();
  const [firstDay, setFirstDay] = useState(monthOf(today) === month ? today : firstDayOf(month));
  const daysWithEvents = daysOf(month).filter((day) => days.has(day));
  const listed = daysWithEvents.filter((day) => day >= firstDay);
  const next = addMonths(month, 1);

  return (
    <>
      <MonthStrip month={month} today={today} days={days} selected={firstDay} onSelect={setFirstDay} />
      {listed.length > 0 && !days.has(firstDay) && (
        <p className={styles.none}>
          <FormattedMessage id="events.dayCount" values={{ day: format.day(firstDay), count: 0 }} />
        </p>
      )}
      {listed.length > 0 ? (
        <ol className={styles.days}>
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
          hint={<FormattedMessage id="events.noneHint" />}
          action={
            isMonth(next) && (
              <Button variant="secondary" onClick={() => onMonthChange(next)}>
                <FormattedMessage id="events.showNextMonth" />
              </Button>
            )
          }
        />
      )}
    </>
  );
}
