import { clsx } from 'clsx';
import { type IconNode, LifeBuoy, RefreshCw } from 'lucide';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

import type { MessageId } from '../i18n/catalogues';
import { Text, useT } from '../i18n/LanguageProvider';
import { passFocusOn } from '../lib/pageStart';
import { Button } from './Button';
import { Icon, IconDisc, Spinner } from './Icon';
import * as styles from './StateCard.module.css';

interface StateProps {
  icon: IconNode;
  title: string;
  hint?: string;
  /** A button. When it disappears with the focus, the heading of the section takes that. */
  action?: ReactNode;
}

/** Shown in place of content that there is none of. */
export function StateCard(state: StateProps) {
  return (
    <div ref={passFocusOn} className={styles.card}>
      <State {...state} />
    </div>
  );
}

function State({ icon, title, hint, action }: StateProps) {
  return (
    <>
      <IconDisc icon={icon} />
      <h2 className="title">{title}</h2>
      {hint && <p className={clsx('second', styles.hint)}>{hint}</p>}
      {action}
    </>
  );
}

const MESSAGES = { loading: 'query.loading', failed: 'query.failed', hint: 'query.hint' } as const;

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
    <div ref={container} tabIndex={-1} className={clsx(styles.card, styles.wait)}>
      {/* The live regions must exist before their texts to be announced. */}
      <p role="status" className="icon-text second">
        {!hasFailed && (
          <>
            <Spinner />
            <span>{t(messages.loading)}</span>
          </>
        )}
      </p>
      <div role="alert" className={styles.alert}>
        {hasFailed && (
          <State
            icon={LifeBuoy}
            title={t(messages.failed)}
            hint={t(messages.hint)}
            action={
              <Button data-track="retry" onClick={retry}>
                <Icon icon={RefreshCw} size={20} />
                <Text>{t('query.retry')}</Text>
              </Button>
            }
          />
        )}
      </div>
    </div>
  );
}

/** The load state of a whole page. */
export function PageLoadState({ title, ...state }: { title: MessageId } & LoadStateProps) {
  const t = useT();
  return (
    <div ref={passFocusOn}>
      <h1 className="visually-hidden">{t(title)}</h1>
      <LoadState {...state} />
    </div>
  );
}
