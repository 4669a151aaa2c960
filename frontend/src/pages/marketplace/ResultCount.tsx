import { FormattedMessage } from 'react-intl';

import { Text } from '../../i18n/Text';
import type { Boat } from './boat';
import * as styles from './ResultCount.module.css';

interface ResultCountProps {
  boats: readonly Boat[];
  isPeriodIgnored: boolean;
}

/** Announce how many of the found boats are available and how many are not. */
export function ResultCount({ boats, isPeriodIgnored }: ResultCountProps) {
  const available = boats.filter((boat) => boat.available).length;
  return (
    <p role="status" className={styles.count}>
      <FormattedMessage
        id="marketplace.available"
        values={{
          count: available,
          others: boats.length - available,
          strong: (text) => (
            <strong className={styles.available}>
              <Text>{text}</Text>
            </strong>
          ),
        }}
      />
      {isPeriodIgnored && (
        <span className={styles.ignored}>
          <FormattedMessage id="marketplace.periodIgnored" />
        </span>
      )}
    </p>
  );
}
