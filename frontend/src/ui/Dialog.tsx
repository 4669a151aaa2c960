import { clsx } from 'clsx';
import { X } from 'lucide';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import * as styles from './Dialog.module.css';
import { Icon } from './Icon';

/** How many are open: one may open another above it. */
let opened = 0;

interface DialogProps {
  open: boolean;
  /** Told when the visitor closes it: by its button, Escape, or a press beside it. `open` is false from then on. */
  onClose: () => void;
  /** Its heading, and its name. */
  title: ReactNode;
  /** What stays in sight at its bottom while the rest scrolls. */
  foot?: ReactNode;
  className?: string | undefined;
  /** There only while it is open. */
  children: ReactNode;
}

/**
 * A panel over the page that must be closed to go on; on a phone a sheet from below.
 *
 * It is a modal `<dialog>`: the browser keeps the focus inside, closes it on Escape and gives the focus back to what
 * opened it.
 */
export function Dialog({ open, onClose, title, foot, className, children }: DialogProps) {
  const { formatMessage } = useIntl();
  const titleId = useId();
  const panel = useRef<HTMLDialogElement>(null);
  const tellClosed = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const dialog = panel.current;
    if (!open || !dialog) return;

    const shown = new AbortController();
    let pressed: EventTarget | null = null;
    dialog.addEventListener('close', () => tellClosed(), shown);
    // What lies beside the panel is the dialog's own backdrop. A press that begins inside, as one that selects
    // words does, closes nothing wherever it ends.
    dialog.addEventListener('pointerdown', ({ target }) => (pressed = target), shown);
    dialog.addEventListener(
      'click',
      ({ target }) => {
        if (target === dialog && pressed === dialog) dialog.close();
      },
      shown,
    );

    const page = document.documentElement;
    // The page under it does not scroll (base.css); without its scroll bar it stays as wide as it was.
    if (window.innerWidth > page.clientWidth) page.style.scrollbarGutter = 'stable';
    dialog.showModal();
    opened += 1;
    return () => {
      shown.abort();
      dialog.close();
      opened -= 1;
      if (opened === 0) page.style.scrollbarGutter = '';
    };
  }, [open]);

  return (
    <dialog ref={panel} className={clsx(styles.dialog, className)} aria-labelledby={titleId}>
      {open && (
        <>
          <div className={styles.head}>
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
            <button
              type="button"
              className={styles.close}
              aria-label={formatMessage({ id: 'appBar.close' })}
              onClick={onClose}
            >
              <Icon of={X} />
            </button>
          </div>
          <div className={styles.body}>{children}</div>
          {foot && <div className={styles.foot}>{foot}</div>}
        </>
      )}
    </dialog>
  );
}
