import { FormattedMessage } from 'react-intl';

import { usePrice } from '../../i18n/usePrice';
import type { Boat } from './boat';
import * as styles from './Price.module.css';

/** What a boat costs a day. */
export function Price({ boat: { pricePerDay } }: { boat: Boat }) {
  const format = usePrice();
  return (
    <p className={styles.price}>
      <FormattedMessage
        id="marketplace.perDay"
        values={{
          price: format(pricePerDay),
          amount: (words) => <strong className={styles.amount}>{words}</strong>,
        }}
      />
    </p>
  );
}
