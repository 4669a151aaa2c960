import { FormattedMessage, useIntl } from 'react-intl';

import type { Boat } from './boat';
import * as styles from './Price.module.css';

/** What a boat costs a day, as the locale writes US dollars. */
export function Price({ boat: { pricePerDay } }: { boat: Boat }) {
  const { formatNumber } = useIntl();
  return (
    <p className={styles.price}>
      <FormattedMessage
        id="marketplace.perDay"
        values={{
          price: formatNumber(pricePerDay, {
            style: 'currency',
            currency: 'USD',
            maximumFractionDigits: 0,
          }),
          amount: (words) => <strong className={styles.amount}>{words}</strong>,
        }}
      />
    </p>
  );
}
