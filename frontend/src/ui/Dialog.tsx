import { clsx } from 'clsx';
import { X } from 'lucide';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';

import { useT } from '../i18n/LanguageProvider';
import * as styles from './Dialog.module.css';
import { IconButton } from './IconButton';

interface DialogProps {
  /** Whether it stays open, because the answer to a request will be shown in it. */
  isPending?: boolean;
  /** Called when the visitor closes it; must remove it. */
  onClose: () => void;
  /** The heading and accessible name. */
  title: ReactNode;
  /** A footer that does not scroll. */
  footer?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered; on phones a sheet from below.
 *
 * The browser traps the focus in a `<dialog>`, closes it on Escape and restores the focus. Opening focuses the title.
 */
export function Dialog({ isPending = false, onClose, title, footer, className, children }: DialogProps) {
  const t = useT();
  const titleId = useId();
  const panel = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function show() {
    panel.current?.showModal();
    // The browser has focused the Close button. A screen reader needs the title first (WAI-ARIA APG, Dialog (Modal)).
    heading.current?.focus();
  }

  // Not every browser lets a page keep a dialog open on Escape.
  const handleClose = useEffectEvent(() => (isPending ? show() : onClose()));
  const showFirst = useEffectEvent(show);

  useLayoutEffect(() => {
    const dialog = panel.current;
    if (!dialog) return;

    const shown = new AbortController();
    let pressed: EventTarget | null = null;
    // The event comes in a later task, in which the dialog may be open again (StrictMode).
    dialog.addEventListener('close', () => dialog.open || handleClose(), shown);
    // A press on the backdrop closes the dialog, unless it began inside, as when text is selected.
    dialog.addEventListener('pointerdown', ({ target }) => (pressed = target), shown);
    dialog.addEventListener(
      'click',
      ({ target }) => {
        if (target === dialog && pressed === dialog) dialog.close();
      },
      shown,
    );

    const page = document.documentElement;
    // The page below does not scroll (base.css); without its scroll bar it keeps its width.
    if (window.innerWidth > page.clientWidth) page.style.scrollbarGutter = 'stable';
    showFirst();
    return () => {
      shown.abort();
      dialog.close();
      if (!document.querySelector('dialog[open]')) page.style.scrollbarGutter = '';
    };
  }, []);

  return (
    <dialog ref={panel} className={clsx(styles.dialog, className)} aria-labelledby={titleId}>
      <div className={styles.header}>
        <h2 ref={heading} id={titleId} className={clsx('title', styles.title)} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon={X} label={t('appBar.close')} isOff={isPending} onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </dialog>
  );
}

interface DialogActionProps {
  /** What the action is about, such as its price. */
  summary: ReactNode;
  /** The button, or the words that stand in its place. */
  children: ReactNode;
}

/** The footer of a dialog that leads on: a summary and the action. */
export function DialogAction({ summary, children }: DialogActionProps) {
  return (
    <div className={styles.action}>
      {summary}
      {children}
    </div>
  );
}
