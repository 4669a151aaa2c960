import { CalendarDays } from 'lucide';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { addMonths, daysOf, firstDayOf, isMonth, type Month, monthOf } from '../../calendar/month';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import type { SailingEvent } from '../../events/event';
import { AgendaDay } from './AgendaDay';
import * as styles from './MonthAgenda.module.css';
import { MonthStrip } from './MonthStrip';

interface MonthAgendaProps {
  month: Month;
  today: Day;
  days: ReadonlyMap<Day, readonly SailingEvent[]>;
  onTurn: (month: Month) => void;
  onOpenDay: (day: Day) => void;
  onOpenEvent: (event: SailingEvent) => void;
}

/**
 * The month where there is little room: a strip of its days, and from the one that is chosen on a list of what is on.
 * It opens on today, so that nobody has to scroll past what is over.
 */
export function MonthAgenda({ month, today, days, onTurn, onOpenDay, onOpenEvent }: MonthAgendaProps) {
  const [from, setFrom] = useState(monthOf(today) === month ? today : firstDayOf(month));
  const busy = daysOf(month).filter((day) => days.has(day));
  const listed = busy.filter((day) => day >= from);
  const next = addMonths(month, 1);

  return (
    <>
      <MonthStrip month={month} today={today} days={days} from={from} onChoose={setFrom} />
      {listed.length > 0 ? (
        <ol className={styles.days}>
          {listed.map((day) => (
            <li key={day}>
              <AgendaDay
                day={day}
                isToday={day === today}
                events={days.get(day) ?? []}
                onOpenDay={onOpenDay}
                onOpenEvent={onOpenEvent}
              />
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState
          icon={CalendarDays}
          title={<FormattedMessage id={busy.length > 0 ? 'events.noneFromDay' : 'events.noneInMonth'} />}
          hint={<FormattedMessage id="events.noneHint" />}
          action={
            isMonth(next) && (
              <Button variant="secondary" onClick={() => onTurn(next)}>
                <FormattedMessage id="events.showNextMonth" />
              </Button>
            )
          }
        />
      )}
    </>
  );
}
