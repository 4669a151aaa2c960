import { X } from 'lucide';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';

import { Icon } from '../ui/Icon';
import { keepInReach, openDialog } from './keepInReach';
import * as styles from './Toast.module.css';

/** How long a toast stays, in milliseconds. */
const STAY = 6000;

/** How long a live region has stood in its place before screen readers watch it, in milliseconds. */
const SETTLING = 100;

export interface ToastProps {
  text: string;
  /** The live regions, one of which the toast is in. */
  regions: RefObject<HTMLElement | null>;
  /** The same function at every render. */
  onDismiss: () => void;
}

/**
 * A line over the page that goes by itself; while someone points at it or has the focus in it, it stays for another
 * while (WCAG 2.2.1). A popover in the open dialog, if there is one, so that it lies above it and can be pressed.
 */
export function Toast({ text, regions, onDismiss }: ToastProps) {
  const { formatMessage } = useIntl();
  const card = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget>(null);

  // A region that is moved has to stand in its new place before its text.
  const [isSaid, setIsSaid] = useState(() => !openDialog());

  const show = useEffectEvent(() => {
    if (isSaid) card.current?.togglePopover(true);
  });

  useLayoutEffect(
    () => (regions.current ? keepInReach(regions.current, () => show()) : undefined),
    [regions],
  );

  useLayoutEffect(() => {
    show();
    const timer = setTimeout(() => setIsSaid(true), SETTLING);
    return () => clearTimeout(timer);
  }, [isSaid]);

  useEffect(() => {
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
      <p>{isSaid && text}</p>
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
