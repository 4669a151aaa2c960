import { clsx } from 'clsx';
import { CalendarPlus } from 'lucide';
import { useId, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import type { Day } from '../../features/calendar/day';
import { getMonth, isMonth, type Month } from '../../features/calendar/month';
import { useToday } from '../../features/calendar/useToday';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import {
  EVENT_TYPES,
  type EventType,
  filterByType,
  findUpcomingEvents,
  groupByDay,
  type SailingEvent,
} from '../../features/events/event';
import { PageHeading } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { createChoiceReader, type Readers, useUrlState } from '../../lib/router/useUrlState';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { FilterChips } from '../../ui/FilterChips';
import { Icon } from '../../ui/Icon';
import { useHydrated } from '../../lib/useHydrated';
import { Calendar } from './Calendar';
import { DayDialog } from './DayDialog';
import { EventDialog } from './EventDialog';
import { EventRow } from './EventRow';
import * as styles from './EventsPage.module.css';
import { EVENT_TYPE_DISPLAY, TypeMark } from './eventTypes';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** What the calendar shows; a blank month is the current one, a blank type every type. */
interface CalendarView {
  month: Month;
  type: EventType | '';
}

export const VIEW_READERS: Readers<CalendarView> = {
  month: (text) => (isMonth(text) ? text : ''),
  type: createChoiceReader(EVENT_TYPES),
};

/** Render `/events`: a calendar and the next events (spec section 2, Events). */
export default function EventsPage() {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const isHydrated = useHydrated();
  const query = useEventsQuery();
  const today = useToday();
  const { state: view, commit } = useUrlState(VIEW_READERS);

  return (
    <>
      <PageHeading title={t('events.title')} lead={t('events.lead')}>
        <Button className={styles.create} onClick={opensAtLaunch}>
          <Icon icon={CalendarPlus} size={20} />
          <FormattedMessage id="events.createEvent" />
        </Button>
      </PageHeading>
      <FilterChips<EventType | ''>
        label={t('events.filter')}
        isLabelHidden
        scrolls
        chips={[
          { value: '', label: t('events.allTypes') },
          ...EVENT_TYPES.map((type) => ({
            value: type,
            label: t(EVENT_TYPE_DISPLAY[type].plural),
            mark: <TypeMark type={type} />,
          })),
        ]}
        value={view.type}
        onChange={(type) => commit({ type }, { replace: true })}
        className={styles.types}
      />
      {/* A view depends on the visitor's date and query, so it is not prerendered. */}
      {isHydrated ? (
        <QueryBoundary query={query}>
          {(events) => (
            <EventsView
              events={events}
              month={view.month || getMonth(today)}
              type={view.type}
              today={today}
              // The URL of the current month carries no month, so that a shared link stays current.
              onMonthChange={(month) =>
                commit({ month: month === getMonth(today) ? '' : month }, { replace: true })
              }
            />
          )}
        </QueryBoundary>
      ) : (
        <div className={styles.placeholder} />
      )}
    </>
  );
}

interface EventsViewProps {
  events: readonly SailingEvent[];
  month: Month;
  type: EventType | '';
  today: Day;
  onMonthChange: (month: Month) => void;
}

function EventsView({ events, month, type, today, onMonthChange }: EventsViewProps) {
  const filtered = filterByType(events, type);
  const days = groupByDay(filtered);

  const [openDay, setOpenDay] = useState<Day>();
  const [openEventId, setOpenEventId] = useState<SailingEvent['id']>();
  const shownEvent = events.find(({ id }) => id === openEventId);

  return (
    <>
      <div className={styles.columns}>
        <Calendar
          month={month}
          today={today}
          days={days}
          events={filtered}
          onMonthChange={onMonthChange}
          onOpenDay={setOpenDay}
          onOpenEvent={({ id }) => setOpenEventId(id)}
        />
        <Upcoming events={findUpcomingEvents(filtered, today)} onOpenEvent={({ id }) => setOpenEventId(id)} />
      </div>
      {openDay && (
        <DayDialog
          day={openDay}
          events={days.get(openDay) ?? []}
          onClose={() => setOpenDay(undefined)}
          onOpenEvent={({ id }) => setOpenEventId(id)}
        />
      )}
      {shownEvent && (
        <EventDialog event={shownEvent} today={today} onClose={() => setOpenEventId(undefined)} />
      )}
    </>
  );
}

interface UpcomingProps {
  events: readonly SailingEvent[];
  onOpenEvent: (event: SailingEvent) => void;
}

function Upcoming({ events, onOpenEvent }: UpcomingProps) {
  const t = useT();
  const headingId = useId();
  return (
    <aside aria-labelledby={headingId} className={styles.upcoming}>
      <h2 id={headingId} className={clsx('title', styles.upcomingHeading)}>
        {t('events.upcoming')}
      </h2>
      {events.length > 0 ? (
        <ol className={styles.upcomingList}>
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} withDay onOpen={onOpenEvent} />
            </li>
          ))}
        </ol>
      ) : (
        <p className="second">{t('events.noneUpcoming')}</p>
      )}
    </aside>
  );
}
