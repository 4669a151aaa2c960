import { useEffect } from 'react';

import * as styles from './NavigationProgress.module.css';

/** Show that the next page is loading. */
export function NavigationProgress({ isPending }: { isPending: boolean }) {
  useEffect(() => {
    if (!isPending) return undefined;
    const main = document.querySelector('main');
    main?.setAttribute('aria-busy', 'true');
    return () => main?.removeAttribute('aria-busy');
  }, [isPending]);

  return isPending && <div className={styles.bar} aria-hidden="true" data-navigation-progress />;
}
