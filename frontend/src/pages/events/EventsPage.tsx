import { CalendarPlus } from 'lucide';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import type { Day } from '../../calendar/day';
import { monthOf } from '../../calendar/month';
import { useToday } from '../../calendar/useToday';
import { EVENT_TYPES, type EventType, type SailingEvent } from '../../events/event';
import { byDay, ofType, upcomingFrom } from '../../events/schedule';
import { useEvents } from '../../events/useEvents';
import { ProfileLayout } from '../../shell/ProfileLayout';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { ClientOnly } from '../../ui/ClientOnly';
import { FilterChips } from '../../ui/FilterChips';
import { Icon } from '../../ui/Icon';
import { PageHeading } from '../../ui/PageHeading';
import { Calendar } from './Calendar';
import { DayDialog } from './DayDialog';
import { EventDialog } from './EventDialog';
import * as styles from './EventsPage.module.css';
import { TYPE_PLURALS } from './labels';
import { TypeMark } from './TypeMark';
import { Upcoming } from './Upcoming';
import { useView } from './useView';

/** `/events`: what is on, as a month's calendar and a list of what comes next (spec section 2, Events). */
export function EventsPage() {
  const { formatMessage } = useIntl();
  const opensAtLaunch = useOpensAtLaunch();
  const today = useToday();
  const [{ month, type }, show] = useView(monthOf(today));
  const events = useEvents();
  // What was pressed shows at once; what it narrows follows when there is time.
  const wanted = useDeferredValue(type);
  const chosen = useMemo(() => ofType(events, wanted), [events, wanted]);
  const days = useMemo(() => byDay(chosen), [chosen]);
  const upcoming = useMemo(() => upcomingFrom(today, chosen), [today, chosen]);

  const [openDay, setOpenDay] = useState<Day>();
  const [openEvent, setOpenEvent] = useState<SailingEvent>();
  const seeEvent = useCallback((event: SailingEvent) => {
    // An event that is clicked is logged (spec section 2).
    track('button_click', { button: 'event', location: 'events', item: event.id });
    setOpenEvent(event);
  }, []);

  const types = EVENT_TYPES.map((value) => ({
    value,
    label: formatMessage({ id: TYPE_PLURALS[value] }),
    mark: <TypeMark type={value} />,
  }));

  return (
    <ProfileLayout>
      <PageHeading
        title={<FormattedMessage id="events.title" />}
        lead={<FormattedMessage id="events.lead" />}
      >
        <Button className={styles.create} onClick={opensAtLaunch}>
          <Icon of={CalendarPlus} size={20} />
          <FormattedMessage id="events.createEvent" />
        </Button>
      </PageHeading>
      <FilterChips<EventType | ''>
        label={formatMessage({ id: 'events.filter' })}
        quiet
        chips={[{ value: '', label: formatMessage({ id: 'events.allTypes' }) }, ...types]}
        value={type}
        onChange={(value) => show({ type: value })}
        className={styles.types}
      />
      <ClientOnly>
        <div className={styles.columns}>
          <Calendar
            month={month}
            today={today}
            days={days}
            events={chosen}
            onTurn={(next) => show({ month: next })}
            onOpenDay={setOpenDay}
            onOpenEvent={seeEvent}
          />
          <Upcoming events={upcoming} onOpenEvent={seeEvent} />
        </div>
        <DayDialog day={openDay} days={days} onClose={() => setOpenDay(undefined)} onOpenEvent={seeEvent} />
        <EventDialog event={openEvent} today={today} onClose={() => setOpenEvent(undefined)} />
      </ClientOnly>
    </ProfileLayout>
  );
}
