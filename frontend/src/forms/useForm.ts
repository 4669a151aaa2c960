import { type FormikErrors, useFormik } from 'formik';
import { type ChangeEvent, type SubmitEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useIntl } from 'react-intl';
import type { ObjectSchema } from 'yup';

import { formFailure, serverErrors } from '../api/errors';
import type { MessageId } from '../i18n/catalogues';

type Change = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

interface FormOptions<Values extends object> {
  initialValues: Values;
  /** Its error messages are message ids. */
  schema: ObjectSchema<Values>;
  /** The value of `limit` in the messages of a field. */
  limits: { [Name in keyof Values]?: number };
  /** Send the values, cast by the schema; rejects with the error of the request. */
  send: (values: Values) => Promise<void>;
  /** The message of an error without its own. */
  fallback: MessageId;
}

/** The state of a form, for `Form`. */
export interface FormState {
  /** Take over the values that the fields show. */
  read: (element: HTMLFormElement) => void;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** The number of submits. */
  attempt: number;
  /** Whether it is being sent or has been sent. */
  pending: boolean;
  /** The error of the form as a whole. */
  message: string | undefined;
  /** What a screen reader announces: the number of invalid fields on submit, then the error of the changed field. */
  announcement: string | undefined;
}

/**
 * Manage a form: values, validation, sending and errors.
 *
 * Errors show after the first submit and then follow each change. An error of the server about a field
 * (`extensions.field`) stays until that field changes.
 */
export function useForm<Values extends object>({
  initialValues,
  schema,
  limits,
  send,
  fallback,
}: FormOptions<Values>) {
  type Name = keyof Values & string;

  const intl = useIntl();
  const [refusal, setRefusal] = useState<{ error: unknown }>();
  const [sent, setSent] = useState(false);
  const [changed, setChanged] = useState<Name>();
  const formik = useFormik<Values>({
    initialValues,
    validationSchema: schema,
    validateOnBlur: false,
    onSubmit: async (values) => {
      try {
        await send(schema.cast(values) as Values);
        setSent(true);
      } catch (error) {
        setRefusal({ error });
      }
    },
  });

  const { values, submitCount } = formik;
  // The message id of each invalid field.
  const broken = formik.errors as FormikErrors<Record<Name, MessageId>>;
  const pending = formik.isSubmitting || sent;
  const refused = refusal && {
    field: serverErrors(refusal.error)[0]?.extensions?.field,
    message: formFailure(refusal.error, intl, fallback),
  };
  const isAboutField = typeof refused?.field === 'string' && Object.hasOwn(initialValues, refused.field);

  function errorOf(name: Name): string | undefined {
    if (isAboutField && refused.field === name) return refused.message;
    const id = broken[name] as MessageId | undefined;
    return submitCount > 0 && id ? intl.formatMessage({ id }, { limit: limits[name] }) : undefined;
  }

  function change(event: Change) {
    if (!isAboutField || refused.field === event.target.name) setRefusal(undefined);
    setChanged(event.target.name as Name);
    formik.handleChange(event);
  }

  /** Set a value as if the visitor had typed it. */
  function setValue(name: Name, value: string) {
    if (!isAboutField || refused.field === name) setRefusal(undefined);
    void formik.setFieldValue(name, value);
  }

  function announcement(): string | undefined {
    if (changed) return errorOf(changed);
    const count = (Object.keys(values) as Name[]).filter(errorOf).length;
    return count > 0 && !pending ? intl.formatMessage({ id: 'forms.fields' }, { count }) : undefined;
  }

  /** Take over the values that the fields show: a password manager may fill them before hydration, or without an event. */
  function read({ elements }: HTMLFormElement) {
    const shown = { ...values, ...readValues(elements, Object.keys(values)) };
    if ((Object.keys(values) as Name[]).some((name) => shown[name] !== values[name]))
      void formik.setValues(shown);
  }

  const form: FormState = {
    read,
    submit: (event) => {
      event.preventDefault();
      if (pending) return;
      flushSync(() => read(event.currentTarget)); // Formik submits the values of the last render
      setRefusal(undefined);
      setChanged(undefined);
      formik.handleSubmit(event);
    },
    attempt: submitCount,
    pending,
    message: isAboutField ? undefined : refused?.message,
    announcement: announcement(),
  };

  return {
    form,
    values,
    setValue,
    /** Return the props of a text or choice field. */
    field: (name: Name) => ({
      name,
      value: values[name] as string,
      onChange: change,
      error: errorOf(name),
    }),
    /** Return the props of a checkbox. */
    checkbox: (name: Name) => ({ name, checked: values[name] as boolean, onChange: change }),
  };
}

/** Return the values of the fields with these names; a field that is not rendered has none. */
function readValues(elements: HTMLFormControlsCollection, names: string[]): Record<string, string | boolean> {
  const values: Record<string, string | boolean> = {};
  for (const name of names) {
    const field = elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === 'checkbox') values[name] = field.checked;
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      values[name] = field.value;
  }
  return values;
}
