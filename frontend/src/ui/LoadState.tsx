import { LifeBuoy, RefreshCw } from 'lucide';
import { useRef } from 'react';

import { Button } from './Button';
import { Icon } from './Icon';
import { IconDisc } from './IconDisc';
import * as styles from './LoadState.module.css';
import { Spinner } from './Spinner';

interface LoadStateProps {
  /** Said while it is on its way. */
  loading: string;
  /** Said when it could not be loaded, with a way to try again; nothing while there is hope. */
  failure?: { text: string; hint: string; retry: string; onRetry: () => void } | undefined;
}

/** Stands in for what is on its way, or could not be loaded. */
export function LoadState({ loading, failure }: LoadStateProps) {
  const place = useRef<HTMLDivElement>(null);

  function retry() {
    // The button goes, and would take the focus back to the top of the page.
    place.current?.focus();
    failure?.onRetry();
  }

  return (
    <div ref={place} tabIndex={-1} className={styles.wait}>
      <p role="status" className={styles.loading}>
        {!failure && (
          <>
            <Spinner />
            {loading}
          </>
        )}
      </p>
      {/* Stands there before its text, so that the text is announced. */}
      <div role="alert">
        {failure && (
          <p className={styles.failure}>
            <IconDisc of={LifeBuoy} />
            {failure.text}
          </p>
        )}
      </div>
      {failure && (
        <>
          <p className={styles.hint}>{failure.hint}</p>
          <Button className={styles.retry} onClick={retry}>
            <Icon of={RefreshCw} size={20} />
            {failure.retry}
          </Button>
        </>
      )}
    </div>
  );
}
