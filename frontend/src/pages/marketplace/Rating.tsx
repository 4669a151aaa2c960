import { Star } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import { Icon } from '../../ui/Icon';
import type { Boat } from './boat';
import * as styles from './Rating.module.css';

/** How well a boat was liked, and by how many. */
export function Rating({ boat: { rating, reviewCount } }: { boat: Boat }) {
  const { formatNumber } = useIntl();
  const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const reviews = `(${formatNumber(reviewCount)})`;
  return (
    <p className={styles.rating}>
      <span aria-hidden="true" className={styles.figures}>
        <Icon of={Star} size={18} />
        {formatNumber(rating, oneDigit)}
        <span className={styles.count}>{reviews}</span>
      </span>
      <span className="visually-hidden">
        <FormattedMessage
          id="marketplace.rating"
          values={{ rating: formatNumber(rating, oneDigit), count: reviewCount }}
        />
      </span>
    </p>
  );
}
