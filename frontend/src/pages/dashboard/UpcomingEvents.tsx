import { ArrowRight } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import { momentOf } from '../../calendar/day';
import { usePrice } from '../../i18n/usePrice';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import { SideSection } from './SideSection';
import * as styles from './UpcomingEvents.module.css';
import { useNextEvents } from './useNextEvents';

/** The next few events, with what they cost. */
export function UpcomingEvents() {
  const { formatDate, formatMessage } = useIntl();
  const formatPrice = usePrice();
  const events = useNextEvents();
  const priceOf = (price: number | undefined) =>
    price === undefined ? formatMessage({ id: 'dashboard.free' }) : formatPrice(price);
  // A day is the same wherever it is read.
  const timeZone = 'UTC';

  return (
    <SideSection title={<FormattedMessage id="dashboard.upcomingEvents" />}>
      <ol className={styles.events}>
        {events.map(({ id, title, date, location, price }) => (
          <li key={id} className={styles.event}>
            <time dateTime={date} className={styles.day}>
              <span aria-hidden="true" className={styles.month}>
                {formatDate(momentOf(date), { month: 'short', timeZone })}
              </span>
              <span aria-hidden="true" className={styles.date}>
                {momentOf(date).getUTCDate()}
              </span>
              <span className="visually-hidden">
                {formatDate(momentOf(date), { weekday: 'long', month: 'long', day: 'numeric', timeZone })}
              </span>
            </time>
            <h3 className={styles.title} lang="en">
              {title}
            </h3>
            <p className={styles.place} lang="en">
              {location}
            </p>
            <p className={styles.price}>{priceOf(price)}</p>
          </li>
        ))}
      </ol>
      <Link to="/events" className={styles.all}>
        <FormattedMessage id="dashboard.allEvents" />
        <Icon of={ArrowRight} size={18} />
      </Link>
    </SideSection>
  );
}
