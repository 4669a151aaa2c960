import { CalendarDays } from 'lucide';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { addMonths, daysOf, firstDayOf, type Month, monthOf } from '../../calendar/month';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import type { SailingEvent } from '../../events/event';
import { EventRow } from './EventRow';
import * as styles from './MonthAgenda.module.css';
import { MonthStrip } from './MonthStrip';
import { MoreButton } from './MoreButton';
import { shownOf } from '../../events/schedule';
import { useFormats } from './useFormats';

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
  const format = useFormats();
  const [from, setFrom] = useState(monthOf(today) === month ? today : firstDayOf(month));
  const busy = daysOf(month).filter((day) => days.has(day));
  const listed = busy.filter((day) => day >= from);

  return (
    <>
      <MonthStrip month={month} today={today} days={days} from={from} onChoose={setFrom} />
      {listed.length > 0 ? (
        <ol className={styles.days}>
          {listed.map((day) => {
            const { shown, more } = shownOf(days.get(day) ?? []);
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
          title={<FormattedMessage id={busy.length > 0 ? 'events.noneFromDay' : 'events.noneInMonth'} />}
          hint={<FormattedMessage id="events.noneHint" />}
          action={
            <Button variant="secondary" onClick={() => onTurn(addMonths(month, 1))}>
              <FormattedMessage id="events.showNextMonth" />
            </Button>
          }
        />
      )}
    </>
  );
}
