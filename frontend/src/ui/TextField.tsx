import type { InputHTMLAttributes } from 'react';

import { Field, type FieldProps } from './Field';

/** One line of text. */
export function TextField({
  label,
  hint,
  error,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} />}
    </Field>
  );
}
