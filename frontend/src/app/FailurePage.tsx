import { clsx } from 'clsx';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';

import { reloadPage } from '../lib/reloadPage';
import { focusHeading } from '../lib/pageStart';
import * as styles from './FailurePage.module.css';

/** Replaces a page that failed. It uses no component that may be the cause. */
export function FailurePage() {
  // The element that had the focus is gone.
  useEffect(focusHeading, []);

  return (
    <main className={clsx('stack', styles.page)}>
      <h1 className={styles.title}>
        <FormattedMessage id="failure.title" />
      </h1>
      <p>
        <FormattedMessage id="failure.text" />
      </p>
      <button type="button" className={styles.reload} onClick={reloadPage}>
        <FormattedMessage id="failure.reload" />
      </button>
    </main>
  );
}
