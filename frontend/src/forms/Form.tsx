import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';

import { FormMessage } from '../ui/FormMessage';
import { useHydrated } from '../ui/useHydrated';
import * as styles from './Form.module.css';
import type { FormState } from './useForm';
import { useTypedValues } from './useTypedValues';

interface FormProps {
  form: FormState;
  /** The buttons. */
  actions: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** A form with its fields, error message and buttons. A failed submit moves the focus to the first invalid field. */
export function Form({
  form: { read, submit, attempt, pending, message, announcement },
  actions,
  children,
}: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();

  useTypedValues(element);
  // Before the next render, in which React would reset the fields.
  const readFields = useEffectEvent(() => element.current && read(element.current));
  useLayoutEffect(() => void readFields(), []);
  const readBefore = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => read(currentTarget);

  useEffect(() => {
    if (!pending) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [pending, attempt]);

  return (
    <form
      ref={element}
      className={styles.form}
      noValidate
      onClickCapture={readBefore}
      onChangeCapture={readBefore}
      onSubmit={submit}
    >
      {/* Before React handles it, the browser would send the form with the values in the URL. */}
      <fieldset disabled={!isHydrated} className={styles.fields}>
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
