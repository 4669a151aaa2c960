import { clsx } from 'clsx';
import {
  type FormHTMLAttributes,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';

import { FormMessage } from '../ui/FormMessage';
import { useHydrated } from '../lib/useHydrated';
import * as styles from './Form.module.css';

/** What `useForm` or `useEmailForm` knows of a form. */
export interface FormState {
  handlers: Pick<FormHTMLAttributes<HTMLFormElement>, 'onChange' | 'onFocus' | 'onPointerDown' | 'onSubmit'>;
  /** Called once, before the visitor can use the hydrated form. */
  initialize: (element: HTMLFormElement) => void;
  /** The number of submits. */
  attempt: number;
  /** Whether it is being sent or has been sent. */
  pending: boolean;
  /** The error of the form as a whole. */
  message: string | undefined;
  /** What a screen reader announces about the fields. */
  announcement: string | undefined;
}

interface FormProps {
  form: FormState;
  /** The buttons. */
  actions: ReactNode;
  /** The fields. */
  children?: ReactNode;
  className?: string | undefined;
  /** Where the browser itself posts the form without JavaScript. */
  action?: string;
}

/** A form with its fields, error message and buttons. A failed submit moves the focus to the first invalid field. */
export function Form({
  form: { handlers, initialize, attempt, pending, message, announcement },
  actions,
  children,
  className,
  action,
}: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();

  // Before the next render, in which React would reset the fields.
  const initializeElement = useEffectEvent(() => element.current && initialize(element.current));
  useLayoutEffect(() => void initializeElement(), []);

  useEffect(() => {
    if (!pending) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [pending, attempt]);

  return (
    <form
      ref={element}
      className={clsx(styles.form, className)}
      noValidate
      method={action && 'post'}
      action={action}
      {...handlers}
    >
      {/* Before React handles it, the browser would send a form without an action with the values in the URL. */}
      <fieldset disabled={!isHydrated && !action} className={styles.fields}>
        {children}
        <FormMessage>{message}</FormMessage>
        {/* A live region must exist before its text. */}
        <p aria-live="polite" className="visually-hidden">
          {announcement}
        </p>
        {actions}
      </fieldset>
    </form>
  );
}
