import { FormattedMessage } from 'react-intl';

import { Text } from '../../i18n/Text';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { Boat } from './boat';
import * as styles from './Price.module.css';

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
