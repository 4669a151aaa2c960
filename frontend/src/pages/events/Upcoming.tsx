import { memo, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import type { SailingEvent } from '../../features/events/event';
import { EventRow } from './EventRow';
import * as styles from './Upcoming.module.css';

interface UpcomingProps {
  events: readonly SailingEvent[];
  onOpenEvent: (event: SailingEvent) => void;
}

export const Upcoming = memo(function Upcoming({ events, onOpenEvent }: UpcomingProps) {
  const headingId = useId();
  return (
    <aside aria-labelledby={headingId} className={styles.upcoming}>
      <h2 id={headingId} className={styles.heading}>
        <FormattedMessage id="events.upcoming" />
      </h2>
      {events.length > 0 ? (
        <ol className={styles.list}>
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} withDay onOpen={onOpenEvent} />
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles.none}>
          <FormattedMessage id="events.noneUpcoming" />
        </p>
      )}
    </aside>
  );
});
