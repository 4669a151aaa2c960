import type { InputHTMLAttributes } from 'react';

import { Field, type FieldProps } from './Field';

export function TextField({
  label,
  hint,
  error,
  isLive,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error} isLive={isLive}>
      {(control) => <input {...input} {...control} />}
    </Field>
  );
}
