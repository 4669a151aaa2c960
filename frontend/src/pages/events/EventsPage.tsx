import { CalendarPlus } from 'lucide';
import { useId, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { type Day, getMonth, isMonth, type Month, useToday } from '../../features/calendar';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import {
  EVENT_TYPES,
  type EventType,
  findUpcomingEvents,
  groupByDay,
  type SailingEvent,
} from '../../features/events/event';
import { useT } from '../../i18n/LanguageProvider';
import { createChoiceReader, type Readers, useUrlState } from '../../lib/router/useUrlState';
import { useHydrated } from '../../lib/useHydrated';
import { PageHeading } from '../../shell/PageHeading';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { FilterChips } from '../../ui/Choices';
import { Icon } from '../../ui/Icon';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { Calendar } from './Calendar';
import { DayDialog } from './DayDialog';
import { EventDialog } from './EventDialog';
import { EventRow } from './EventRow';
import * as styles from './EventsPage.module.css';
import { EVENT_TYPE_DISPLAY, TypeMark } from './eventTypes';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** The most events of the upcoming list (spec section 9). */
const MAX_UPCOMING = 5;

/** What the calendar shows; a blank month is the current one, a blank type every type. */
const VIEW_READERS: Readers<{ month: Month; type: EventType | '' }> = {
  month: (text) => (isMonth(text) ? text : ''),
  type: createChoiceReader(EVENT_TYPES),
};

/** Render `/events`: a calendar and the next events (spec section 2, Events). */
export default function EventsPage() {
  const t = useT();
  const isHydrated = useHydrated();
  const query = useEventsQuery();
  const today = useToday();
  const { state, change } = useUrlState(VIEW_READERS);

  return (
    <>
      <PageHeading title={t('events.title')} lead={t('events.lead')} />
      <FilterChips<EventType | ''>
        label={t('events.filter')}
        isLabelHidden
        chips={[
          { value: '', label: t('events.allTypes') },
          ...EVENT_TYPES.map((type) => ({
            value: type,
            label: t(EVENT_TYPE_DISPLAY[type].plural),
            mark: <TypeMark type={type} />,
          })),
        ]}
        value={state.type}
        onChange={(type) => change({ type })}
        className={styles.types}
      />
      {/* A view depends on the visitor's date and query, so it is not prerendered. */}
      {isHydrated ? (
        <QueryBoundary query={query}>
          {(events) => (
            <EventsView
              events={events.filter(({ type }) => !state.type || type === state.type)}
              month={state.month || getMonth(today)}
              today={today}
              // The URL of the current month carries no month, so that a shared link stays current.
              onMonthChange={(month) => change({ month: month === getMonth(today) ? '' : month })}
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
  /** The filtered events. */
  events: readonly SailingEvent[];
  month: Month;
  today: Day;
  onMonthChange: (month: Month) => void;
}

function EventsView({ events, month, today, onMonthChange }: EventsViewProps) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const headingId = useId();
  const [openDay, setOpenDay] = useState<Day>();
  const [openEvent, setOpenEvent] = useState<SailingEvent>();
  const days = groupByDay(events);
  const upcoming = findUpcomingEvents(events, today, MAX_UPCOMING);

  return (
    <>
      <div className={styles.columns}>
        <Calendar
          month={month}
          today={today}
          days={days}
          onMonthChange={onMonthChange}
          onOpenDay={setOpenDay}
          onOpenEvent={setOpenEvent}
        />
        <aside aria-labelledby={headingId} className={styles.upcoming}>
          <h2 id={headingId} className="title">
            {t('events.upcoming')}
          </h2>
          {upcoming.length > 0 ? (
            <ol className={styles.list}>
              {upcoming.map((event) => (
                <li key={event.id}>
                  <EventRow event={event} withDay onOpen={setOpenEvent} />
                </li>
              ))}
            </ol>
          ) : (
            <p className="second">{t('events.noneUpcoming')}</p>
          )}
          <Button variant="secondary" className={styles.create} onClick={opensAtLaunch}>
            <Icon icon={CalendarPlus} size={20} />
            <FormattedMessage id="events.createEvent" />
          </Button>
        </aside>
      </div>
      {openDay && (
        <DayDialog
          day={openDay}
          events={days.get(openDay) ?? []}
          onClose={() => setOpenDay(undefined)}
          onOpenEvent={setOpenEvent}
        />
      )}
      {openEvent && <EventDialog event={openEvent} today={today} onClose={() => setOpenEvent(undefined)} />}
    </>
  );
}
