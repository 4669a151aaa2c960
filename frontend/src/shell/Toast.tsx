import { X } from 'lucide';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import { Icon } from '../ui/Icon';
import * as styles from './Toast.module.css';

const DURATION_MS = 6000;

interface ToastProps {
  text: string;
  /** Whether it stays until another one replaces it. */
  stays: boolean;
  /** Must be the same function on every render. */
  onDismiss: () => void;
}

/** A short message over the page. It stays while it is hovered or has the focus (WCAG 2.2.1). */
export function Toast({ text, stays, onDismiss }: ToastProps) {
  const { formatMessage } = useIntl();
  const card = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<EventTarget>(null);

  // A popover is in the top layer, above an open dialog.
  useLayoutEffect(() => void card.current?.togglePopover(true), []);

  useEffect(() => {
    if (stays) return undefined;
    const timer = setInterval(() => {
      if (!card.current?.matches(':hover, :focus-within')) onDismiss();
    }, DURATION_MS);
    return () => clearInterval(timer);
  }, [stays, onDismiss]);

  function dismiss() {
    // The focused button is removed.
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
    onDismiss();
  }

  return (
    <div ref={card} popover="manual" className={styles.toast} data-surface="dark">
      <p>{text}</p>
      <button
        type="button"
        className="icon-button"
        aria-label={formatMessage({ id: 'appBar.close' })}
        onFocus={({ relatedTarget }) => {
          previousFocus.current = relatedTarget;
        }}
        onClick={dismiss}
      >
        <Icon icon={X} size={20} />
      </button>
    </div>
  );
}
