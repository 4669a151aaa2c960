import { ArrowRight } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useToday } from '../../calendar/useToday';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import { DateTile } from '../../features/events/DateTile';
import { upcomingEvents } from '../../features/events/schedule';
import { useEventFormats } from '../../features/events/useEventFormats';
import { QueryBoundary } from '../../loading/QueryBoundary';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import { SideSection } from './SideSection';
import * as styles from './UpcomingEvents.module.css';

const MAX_EVENTS = 3;

export function UpcomingEvents() {
  const format = useEventFormats();
  const query = useEventsQuery();
  const today = useToday();
  return (
    <SideSection title={<FormattedMessage id="dashboard.upcomingEvents" />}>
      <QueryBoundary query={query}>
        {(events) => (
          <ol className={styles.events}>
            {upcomingEvents(events, today, MAX_EVENTS).map((event) => (
              <li key={event.id} className={styles.event}>
                <DateTile day={event.date} className={styles.day} />
                <h3 className={styles.title}>{event.title}</h3>
                <p className={styles.place}>{event.location}</p>
                <p className={styles.price}>{format.price(event, 'dashboard.free')}</p>
              </li>
            ))}
          </ol>
        )}
      </QueryBoundary>
      <Link to="/events" className={styles.all}>
        <FormattedMessage id="dashboard.allEvents" />
        <Icon of={ArrowRight} size={18} />
      </Link>
    </SideSection>
  );
}
