import { clsx } from 'clsx';
import { X } from 'lucide';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

import { useT } from '../i18n/LanguageProvider';
import { ErrorBoundary } from './ErrorBoundary';
import { IconButton } from './IconButton';
import * as styles from './ToastProvider.module.css';

/**
 * How long a live region must exist before its text, so that screen readers announce it. It is also the delay of the
 * sign-out confirmation (spec section 9).
 */
const ANNOUNCE_DELAY_MS = 100;
const DURATION_MS = 6000;

interface Toasts {
  /**
   * Show a message; a screen reader announces it when idle.
   *
   * @param stays whether it stays until the next one, which says how something pending has ended
   */
  notify: (text: string, stays?: boolean) => void;
  /** Show a message; a screen reader announces it at once. */
  alert: (text: string) => void;
}

interface ShownToast {
  role: 'status' | 'alert';
  text: string;
  stays: boolean;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

/** Provide toasts to everything inside; only the latest one shows. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<ShownToast>();
  const [dialog, setDialog] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const dismiss = useCallback(() => setToast(undefined), []);

  const toasts = useMemo(() => {
    function show(next: ShownToast) {
      setToast(undefined);
      setDialog(findOpenDialog());
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setToast(next), ANNOUNCE_DELAY_MS);
    }
    return {
      notify: (text: string, stays = false) => show({ role: 'status', text, stays }),
      alert: (text: string) => show({ role: 'alert', text, stays: false }),
    };
  }, []);

  // Closing a dialog would hide the toast inside. The event reaches only the dialog itself if that has been removed.
  useEffect(() => {
    const followDialog = () => setDialog(findOpenDialog());
    dialog?.addEventListener('close', followDialog);
    return () => dialog?.removeEventListener('close', followDialog);
  }, [dialog]);
  useEffect(() => () => clearTimeout(timer.current), []);

  // The role comes with the text: an empty alert would be found beside that of a form.
  const renderRegion = (role: ShownToast['role'], live: 'polite' | 'assertive') => (
    <div className={styles.region} aria-live={live} role={toast?.role === role ? role : undefined}>
      {toast?.role === role && (
        <ErrorBoundary>
          <Toast {...toast} onDismiss={dismiss} />
        </ErrorBoundary>
      )}
    </div>
  );
  const regions = (
    <div className={clsx('screen-only', styles.regions)}>
      {renderRegion('status', 'polite')}
      {renderRegion('alert', 'assertive')}
    </div>
  );

  return (
    <ToastContext value={toasts}>
      {children}
      {/* Everything outside a modal dialog is inert. */}
      {dialog ? createPortal(regions, dialog) : regions}
    </ToastContext>
  );
}

/**
 * A short message over the page, which stays while it has the focus. `onDismiss` must be the same function on every render.
 */
function Toast({ text, stays, onDismiss }: ShownToast & { onDismiss: () => void }) {
  const t = useT();
  const card = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<EventTarget>(null);

  // A popover is in the top layer, above an open dialog.
  useLayoutEffect(() => void card.current?.togglePopover(true), []);

  useEffect(() => {
    if (stays) return undefined;
    const timer = setInterval(() => {
      if (!card.current?.matches(':focus-within')) onDismiss();
    }, DURATION_MS);
    return () => clearInterval(timer);
  }, [stays, onDismiss]);

  function close() {
    // The focused button is removed.
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
    onDismiss();
  }

  return (
    <div ref={card} popover="manual" className={styles.toast} data-surface="dark">
      <p>{text}</p>
      <IconButton
        icon={X}
        size={20}
        label={t('appBar.close')}
        onFocus={({ relatedTarget }) => (previousFocus.current = relatedTarget)}
        onClick={close}
      />
    </div>
  );
}

/** Return the innermost open dialog. */
function findOpenDialog(): Element | undefined {
  return [...document.querySelectorAll('dialog[open]')].at(-1);
}

/**
 * Return the functions that show a toast.
 *
 * @throws {Error} outside a ToastProvider
 */
export function useToast(): Toasts {
  const toasts = use(ToastContext);
  if (!toasts) throw new Error('useToast must be used within a ToastProvider');
  return toasts;
}
