import { type ReactNode, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { ClearAll } from './ClearAll';
import * as styles from './FilterSide.module.css';

interface FilterSideProps {
  onClear: () => void;
  children: ReactNode;
}

/** Render the filters beside the boats, in a wide window. */
export function FilterSide({ onClear, children }: FilterSideProps) {
  const titleId = useId();
  return (
    <section className={styles.side} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          <FormattedMessage id="marketplace.filters" />
        </h2>
        <ClearAll onClick={onClear} />
      </div>
      {children}
    </section>
  );
}
