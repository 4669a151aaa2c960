import {
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import { loadChunk } from '../lazy/loadChunk';
import type { ToastProps } from './Toast';
import * as styles from './ToastProvider.module.css';

const loadToast = () => loadChunk(() => import(/* webpackChunkName: "part-toast" */ './Toast'), 'optional');

/** Says something in passing: it shows for a while over the page, and is read out. */
interface Toasts {
  /** Read out when a screen reader has finished its sentence. */
  notify: (text: string) => void;
  /** Read out at once. */
  alert: (text: string) => void;
}

type Role = 'status' | 'alert';

interface Shown {
  Toast: ComponentType<ToastProps>;
  role: Role;
  text: string;
  /** Differs from that of the toast before, which may have said the same. */
  turn: number;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

/** Gives everything inside it the toasts: one at a time, the latest. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const regions = useRef<HTMLDivElement>(null);
  const dismiss = useCallback(() => setShown(undefined), []);
  const toasts = useMemo(() => {
    async function show(role: Role, text: string) {
      const Toast = await loadToast().then(
        (module) => module.Toast,
        () => Words,
      );
      setShown((before) => ({ Toast, role, text, turn: before ? before.turn + 1 : 0 }));
    }
    return {
      notify: (text: string) => void show('status', text),
      alert: (text: string) => void show('alert', text),
    };
  }, []);

  /**
   * The regions stand in the page before their text, so that it is announced. They take on their role with it: an
   * alert that says nothing would be one too many beside that of a form.
   */
  function region(role: Role, live: 'polite' | 'assertive') {
    const toast = shown?.role === role ? shown : undefined;
    return (
      <div className={styles.region} aria-live={live} role={toast && role}>
        {toast && <toast.Toast key={toast.turn} text={toast.text} regions={regions} onDismiss={dismiss} />}
      </div>
    );
  }

  return (
    <ToastContext value={toasts}>
      {children}
      {/* A place of their own: a toast takes them along into an open dialog. */}
      <div>
        <div ref={regions} className={styles.regions}>
          {region('status', 'polite')}
          {region('alert', 'assertive')}
        </div>
      </div>
    </ToastContext>
  );
}

/** All that there is to a toast whose file cannot be loaded; goes at the next press anywhere, or on Escape. */
function Words({ text }: ToastProps) {
  return (
    <p ref={open} popover="auto" className={styles.words} data-surface="dark">
      {text}
    </p>
  );
}

function open(popover: HTMLElement | null) {
  popover?.togglePopover(true);
}

/**
 * The toasts of the page.
 *
 * @param isLikely whether one will probably be shown: what shows it is then loaded ahead
 * @throws {Error} outside a ToastProvider
 */
export function useToast({ isLikely = true } = {}): Toasts {
  const toasts = use(ToastContext);
  if (!toasts) throw new Error('useToast must be used within a ToastProvider');
  // So that one can be shown when the network is what has failed. Whatever fails here is tried anew when needed.
  useEffect(() => {
    if (isLikely) void loadToast().catch(() => undefined);
  }, [isLikely]);
  return toasts;
}
