import { Star } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import { Icon } from '../../ui/Icon';
import type { Boat } from './boat';
import * as styles from './Rating.module.css';

/** How well a boat was liked, and by how many. */
export function Rating({ boat }: { boat: Boat }) {
  const { formatMessage, formatNumber } = useIntl();
  const rating = formatNumber(boat.rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const reviews = formatMessage({ id: 'marketplace.reviews' }, { count: boat.reviewCount });
  return (
    <p className={styles.rating}>
      <span aria-hidden="true">
        <span className={styles.score}>
          <Icon of={Star} size={18} />
          {rating}
        </span>
        {reviews}
      </span>
      <span className="visually-hidden">
        <FormattedMessage id="marketplace.rating" values={{ rating, reviews }} />
      </span>
    </p>
  );
}
