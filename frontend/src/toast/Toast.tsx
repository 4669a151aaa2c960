import { X } from 'lucide';
import { useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import { Icon } from '../ui/Icon';
import * as styles from './Toast.module.css';

/** How long a toast stays, in milliseconds. */
const STAY = 6000;

export interface ToastProps {
  text: string;
  /** The same function at every render. */
  onDismiss: () => void;
}

/**
 * A line over the page that goes by itself; while someone points at it or has the focus in it, it stays for another
 * while (WCAG 2.2.1). A popover, so that it lies above an open dialog too.
 */
export function Toast({ text, onDismiss }: ToastProps) {
  const { formatMessage } = useIntl();
  const card = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget>(null);

  useEffect(() => {
    card.current?.togglePopover(true);
    const timer = setInterval(() => {
      if (!card.current?.matches(':hover, :focus-within')) onDismiss();
    }, STAY);
    return () => clearInterval(timer);
  }, [onDismiss]);

  function dismiss() {
    // The button that has the focus goes; a keyboard's user goes on from where they came.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    onDismiss();
  }

  return (
    <div ref={card} popover="manual" className={styles.toast} data-surface="dark">
      <p>{text}</p>
      <button
        type="button"
        className={styles.dismiss}
        aria-label={formatMessage({ id: 'appBar.close' })}
        onFocus={({ relatedTarget }) => {
          cameFrom.current = relatedTarget;
        }}
        onClick={dismiss}
      >
        <Icon of={X} size={20} />
      </button>
    </div>
  );
}
