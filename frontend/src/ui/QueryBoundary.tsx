import { clsx } from 'clsx';
import { LifeBuoy, RefreshCw } from 'lucide';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../i18n/LanguageProvider';
import type { MessageId } from '../i18n/catalogues';
import { Button } from './Button';
import { Icon, IconDisc, Spinner } from './Icon';
import { passFocusOn } from '../lib/pageStart';
import type { QueryResult } from '../lib/query';
import * as styles from './QueryBoundary.module.css';

const MESSAGES = {
  loading: 'query.loading',
  failed: 'query.failed',
  hint: 'query.hint',
} as const satisfies Record<string, MessageId>;

interface QueryBoundaryProps<Data> {
  query: QueryResult<Data>;
  /** Replaces the children when the query returns an empty list. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Render the data of a query or, until there is any, that it is loading or has failed. */
export function QueryBoundary<Data>({
  query: { data, error, refetch },
  empty,
  children,
}: QueryBoundaryProps<Data>) {
  if (data === undefined) return <LoadState hasFailed={error !== undefined} onRetry={refetch} />;
  return Array.isArray(data) && data.length === 0 && empty ? empty : children(data);
}

interface LoadStateProps {
  hasFailed: boolean;
  onRetry: () => unknown;
  /** Messages in place of the general ones. */
  messages?: Record<keyof typeof MESSAGES, MessageId>;
}

/** Show that something is loading or, with a Retry button, that it has failed. */
export function LoadState({ hasFailed, onRetry, messages = MESSAGES }: LoadStateProps) {
  const t = useT();
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => passFocusOn(container.current), []);

  function retry() {
    // The focused button disappears; without this the focus would return to the top of the page.
    container.current?.focus();
    onRetry();
  }

  return (
    <div ref={container} tabIndex={-1} className={styles.wait}>
      <p role="status" className={styles.loading}>
        {!hasFailed && (
          <>
            <Spinner />
            <FormattedMessage id={messages.loading} />
          </>
        )}
      </p>
      {/* The live region must exist before its text to be announced. */}
      <div role="alert">
        {hasFailed && (
          <p className={clsx('stack', styles.failure)}>
            <IconDisc icon={LifeBuoy} />
            <FormattedMessage id={messages.failed} />
          </p>
        )}
      </div>
      {hasFailed && (
        <>
          <p className={styles.hint}>{t(messages.hint)}</p>
          <Button className={styles.retry} data-track="retry" onClick={retry}>
            <Icon icon={RefreshCw} size={20} />
            <FormattedMessage id="query.retry" />
          </Button>
        </>
      )}
    </div>
  );
}
