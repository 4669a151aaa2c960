import { Star } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { Icon } from '../../ui/Icon';
import type { Boat } from './boat';
import * as styles from './Rating.module.css';

export function Rating({ boat }: { boat: Boat }) {
  const { formatMessage } = useIntl();
  const rating = useNumberFormats().rating(boat.rating);
  const reviews = formatMessage({ id: 'marketplace.reviews' }, { count: boat.reviewCount });
  return (
    <p className={styles.rating}>
      <span aria-hidden="true">
        <span className={styles.score}>
          <Icon of={Star} size={18} />
          <span>{rating}</span>
        </span>
        <span>{reviews}</span>
      </span>
      <span className="visually-hidden">
        <FormattedMessage id="marketplace.rating" values={{ rating, reviews }} />
      </span>
    </p>
  );
}
