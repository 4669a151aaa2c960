import type { MouseEvent } from 'react';
import { FormattedMessage } from 'react-intl';

import { opensElsewhere } from '../ui/Link';
import * as styles from './SkipLink.module.css';

/**
 * The first stop of the Tab key: past the bar to the content, `#content`. The address stays: a new one would be another
 * entry of the history, without what this one carries. Without a script it is a plain link to a fragment.
 */
export function SkipLink() {
  function skip(event: MouseEvent) {
    const content = document.getElementById('content');
    if (!content || opensElsewhere(event)) return;
    event.preventDefault();
    content.focus({ preventScroll: true });
    content.scrollIntoView();
  }

  return (
    <a className={styles.skip} href="#content" onClick={skip}>
      <FormattedMessage id="appBar.skipToContent" />
    </a>
  );
}
