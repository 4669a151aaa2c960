import { ArrowRight } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { dateOf } from '../../calendar/day';
import { useToday } from '../../calendar/useToday';
import { useEventsQuery } from '../../events/data/useEventsQuery';
import { upcomingEvents } from '../../events/schedule';
import { useEventFormats } from '../../events/useEventFormats';
import { QueryBoundary } from '../../query/QueryBoundary';
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
                <time dateTime={event.date} className={styles.day}>
                  <span aria-hidden="true" className={styles.month}>
                    {format.shortMonth(event.date)}
                  </span>
                  <span aria-hidden="true" className={styles.date}>
                    {dateOf(event.date)}
                  </span>
                  <span className="visually-hidden">{format.day(event.date)}</span>
                </time>
                <h3 className={styles.title} lang="en">
                  {event.title}
                </h3>
                <p className={styles.place} lang="en">
                  {event.location}
                </p>
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
