import { FormattedMessage } from 'react-intl';

import * as styles from './SampleChip.module.css';

/** Says that a screen shows sample data. It stands above the page's heading. */
export function SampleChip() {
  return (
    <p className={styles.chip}>
      <FormattedMessage id="sample.preview" />
    </p>
  );
}
