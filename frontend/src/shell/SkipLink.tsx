import { clsx } from 'clsx';
import type { MouseEvent } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { opensElsewhere } from '../ui/Link';
import * as styles from './SkipLink.module.css';

/**
 * Skip the navigation: the first link in the tab order moves the focus to `#content`.
 *
 * The address stays, because a new history entry would lose the state of this one.
 */
export function SkipLink() {
  const t = useT();

  function skip(event: MouseEvent) {
    const content = document.getElementById('content');
    if (!content || opensElsewhere(event)) return;
    event.preventDefault();
    content.focus({ preventScroll: true });
    content.scrollIntoView();
  }

  return (
    <a className={clsx('screen-only', styles.skip)} href="#content" onClick={skip}>
      {t('appBar.skipToContent')}
    </a>
  );
}
