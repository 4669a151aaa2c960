import { type ReactNode, useEffect, useRef } from 'react';

import { FormMessage } from '../ui/FormMessage';
import { useHydrated } from '../ui/useHydrated';
import * as styles from './Form.module.css';
import type { FormState } from './useForm';

interface FormProps {
  /** What `useForm` says of it. */
  form: FormState;
  /** Its buttons. */
  actions: ReactNode;
  /** Its fields, one below the other. */
  children: ReactNode;
}

/** A form with its fields, why it could not be sent, and its buttons. A refusal moves the focus to the first bad field. */
export function Form({
  form: { submit, attempt, pending, message, announcement },
  actions,
  children,
}: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();

  useEffect(() => {
    if (!pending) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [pending, attempt]);

  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      {/* Before React handles it, the browser would send the form with the values in the URL. */}
      <fieldset disabled={!isHydrated} className={styles.fields}>
        {children}
        <FormMessage>{message}</FormMessage>
        {/* Stands there before its text, so that screen readers watch it. */}
        <p aria-live="polite" className="visually-hidden">
          {announcement}
        </p>
        {actions}
      </fieldset>
    </form>
  );
}
