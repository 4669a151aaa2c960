import { FormattedMessage } from 'react-intl';

import * as styles from './SkipLink.module.css';

/** The first stop of the Tab key: past the bar to the content, `#content`. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#content">
      <FormattedMessage id="appBar.skipToContent" />
    </a>
  );
}
