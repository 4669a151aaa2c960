import { type AnySchema, ValidationError } from 'yup';

import type { FieldError } from '../forms/validation/email';

/** Return the first error of each invalid field by its name, which is '' for a single value. */
export function findErrors(schema: AnySchema, values: unknown): Record<string, FieldError> {
  try {
    schema.validateSync(values, { abortEarly: false });
    return {};
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const errors = error.inner.length > 0 ? error.inner : [error];
    const all = errors.map(({ path = '', message }) => [path, message as unknown as FieldError] as const);
    return Object.fromEntries(all.reverse());
  }
}
