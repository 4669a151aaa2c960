import { type FormikErrors, useFormik } from 'formik';
import { type ChangeEvent, type SubmitEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useIntl } from 'react-intl';
import type { ObjectSchema } from 'yup';

import type { MessageId } from '../i18n/catalogues';
import { describeFormFailure, getServerErrors } from '../lib/api/errors';
import type { FormState } from './Form';
import type { FieldError } from './validation/email';

interface FormOptions<Values extends object> {
  /** Its error messages are `FieldError`s. */
  schema: ObjectSchema<Values>;
  /** By default those of the schema. */
  initialValues?: Values;
  /** Send the values, cast by the schema; rejects with the error of the request. */
  send: (values: Values) => Promise<void>;
  /** The message of an error without its own. */
  fallback: MessageId;
}

/**
 * Manage a form with Formik and Yup. Errors show after the first submit and then follow each change; that of the server, about
 * a field (`extensions.field`) or the form, stays until the next change.
 */
export function useForm<Values extends object>({
  schema,
  initialValues = schema.getDefault() as Values,
  send,
  fallback,
}: FormOptions<Values>) {
  type Name = keyof Values & string;

  const intl = useIntl();
  const [changed, setChanged] = useState<Name>();
  const [isSent, setSent] = useState(false);
  const formik = useFormik<Values>({
    initialValues,
    validationSchema: schema,
    validateOnBlur: false,
    onSubmit: async (values, { setErrors, setStatus }) => {
      try {
        await send(schema.cast(values) as Values);
        setSent(true);
      } catch (error) {
        const field = getServerErrors(error)[0]?.extensions?.field;
        if (typeof field === 'string' && Object.hasOwn(values, field))
          setErrors({ [field]: describeFormFailure(error, intl, fallback) } as FormikErrors<Values>);
        else setStatus(error);
      }
    },
  });

  const { values, submitCount } = formik;
  const names = Object.keys(values) as Name[];
  const errors = formik.errors as Partial<Record<Name, FieldError | string>>;
  const pending = formik.isSubmitting || isSent;

  function findError(name: Name): string | undefined {
    const error = submitCount > 0 ? errors[name] : undefined;
    return typeof error === 'object' ? intl.formatMessage(error, error.values) : error;
  }

  function change(event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
    formik.setStatus(undefined);
    setChanged(event.target.name as Name);
    formik.handleChange(event);
  }

  /** Return the number of invalid fields on submit, then the error of the changed field. */
  function announce(): string | undefined {
    if (changed) return findError(changed);
    const count = names.filter(findError).length;
    return count > 0 && !pending ? intl.formatMessage({ id: 'forms.fields' }, { count }) : undefined;
  }

  /** Take over what the fields show: a password manager may fill them before hydration, or without an event. */
  function read({ elements }: HTMLFormElement) {
    const shown = names.map((name) => {
      const field = elements.namedItem(name) as HTMLInputElement | null; // none when it is not rendered
      return [name, field ? (field.type === 'checkbox' ? field.checked : field.value) : values[name]];
    });
    void formik.setValues(Object.fromEntries(shown) as Values, false);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    flushSync(() => read(event.currentTarget)); // Formik submits the values of the last render
    formik.setStatus(undefined);
    setChanged(undefined);
    formik.handleSubmit(event);
  }

  const form: FormState = {
    handlers: { onSubmit: submit },
    initialize: read,
    attempt: submitCount,
    pending,
    message: formik.status === undefined ? undefined : describeFormFailure(formik.status, intl, fallback),
    announcement: announce(),
  };

  return {
    form,
    values,
    /** Set a value as if the visitor had typed it. */
    setValue: (name: Name, value: string) => void formik.setFieldValue(name, value),
    /** Return the props of a text or choice field. */
    field: (name: Name) => ({
      name,
      value: values[name] as string,
      onChange: change,
      error: findError(name),
    }),
    /** Return the props of a checkbox. */
    checkbox: (name: Name) => ({ name, checked: values[name] as boolean, onChange: change }),
  };
}
