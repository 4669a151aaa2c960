import { clsx } from 'clsx';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Toast } from './Toast';
import * as styles from './Toast.module.css';

/**
 * How long a live region must exist before its text, so that screen readers announce it. It is also the delay of the
 * sign-out confirmation (spec section 9).
 */
const ANNOUNCE_DELAY_MS = 100;

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

type Role = 'status' | 'alert';

interface ShownToast {
  role: Role;
  text: string;
  stays: boolean;
  /** Differs between toasts with the same text. */
  id: number;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

/** Provide toasts to everything inside; only the latest one shows. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<ShownToast>();
  const [dialog, setDialog] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastId = useRef(0);
  const dismiss = useCallback(() => setToast(undefined), []);

  const toasts = useMemo(() => {
    function show(role: Role, text: string, stays = false) {
      setToast(undefined);
      setDialog(findOpenDialog());
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        lastId.current += 1;
        setToast({ role, text, stays, id: lastId.current });
      }, ANNOUNCE_DELAY_MS);
    }
    return {
      notify: (text: string, stays?: boolean) => show('status', text, stays),
      alert: (text: string) => show('alert', text),
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
  const renderRegion = (role: Role, live: 'polite' | 'assertive') => (
    <div className={styles.region} aria-live={live} role={toast?.role === role ? role : undefined}>
      {toast?.role === role && (
        <ErrorBoundary key={toast.id}>
          <Toast text={toast.text} stays={toast.stays} onDismiss={dismiss} />
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
