import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Boat } from './boat';
import * as styles from './ResultCount.module.css';

/** How many of the boats that were found can be had, read out whenever that changes. */
export function ResultCount({ boats }: { boats: readonly Boat[] }) {
  const available = boats.filter((boat) => boat.available).length;
  const others = boats.length - available;
  return (
    <p role="status" className={styles.count}>
      {others > 0 ? (
        <FormattedMessage id="marketplace.availableAndNot" values={{ count: available, others, strong }} />
      ) : (
        <FormattedMessage id="marketplace.available" values={{ count: available, strong }} />
      )}
    </p>
  );
}

function strong(words: ReactNode) {
  return <strong className={styles.available}>{words}</strong>;
}
