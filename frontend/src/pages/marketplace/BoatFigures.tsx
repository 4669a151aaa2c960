import { FormattedMessage, useIntl } from 'react-intl';
import { Star } from 'lucide';

import { Text } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { Icon } from '../../ui/Icon';
import type { Boat } from './boat';
import * as styles from './BoatFigures.module.css';

export function Price({ boat: { pricePerDay } }: { boat: Boat }) {
  const format = useNumberFormats();
  return (
    <p className={styles.price}>
      <FormattedMessage
        id="marketplace.perDay"
        values={{
          price: format.price(pricePerDay),
          amount: (text) => (
            <strong className={styles.amount}>
              <Text>{text}</Text>
            </strong>
          ),
        }}
      />
    </p>
  );
}

export function Rating({ boat }: { boat: Boat }) {
  const { formatMessage } = useIntl();
  const rating = useNumberFormats().rating(boat.rating);
  const reviews = formatMessage({ id: 'marketplace.reviews' }, { count: boat.reviewCount });
  return (
    <p className={styles.rating}>
      <span aria-hidden="true">
        <span className={styles.score}>
          <Icon icon={Star} size={18} />
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
