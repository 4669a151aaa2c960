import { type FormikErrors, useFormik } from 'formik';
import { type ChangeEvent, type SubmitEvent, type SyntheticEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useIntl } from 'react-intl';
import type { ObjectSchema } from 'yup';

import { describeFormFailure, getServerErrors } from '../lib/api/errors';
import type { MessageId } from '../i18n/catalogues';
import type { FormState } from './Form';
import type { FieldError } from './validation/email';

type Change = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

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

/** What Formik keeps as the status of the form. */
interface SubmissionStatus {
  isSent?: boolean;
  /** What `send` has rejected with. */
  error?: unknown;
}

/**
 * Manage a form with Formik and Yup: values, validation, sending and errors.
 *
 * Errors show after the first submit and then follow each change. An error of the server about a field
 * (`extensions.field`) stays until that field changes.
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
  const formik = useFormik<Values>({
    initialValues,
    initialStatus: {},
    validationSchema: schema,
    validateOnBlur: false,
    onSubmit: async (values, { setStatus }) => {
      try {
        await send(schema.cast(values) as Values);
        setStatus({ isSent: true });
      } catch (error) {
        setStatus({ error });
      }
    },
  });

  const { values, submitCount } = formik;
  const names = Object.keys(values) as Name[];
  const { isSent = false, error } = formik.status as SubmissionStatus;
  const fieldErrors = formik.errors as FormikErrors<Record<Name, FieldError>>;
  const pending = formik.isSubmitting || isSent;
  const message = error === undefined ? undefined : describeFormFailure(error, intl, fallback);
  const rejectedField = names.find((name) => name === getServerErrors(error)[0]?.extensions?.field);

  function findError(name: Name): string | undefined {
    if (name === rejectedField) return message;
    const fieldError = fieldErrors[name] as FieldError | undefined;
    return submitCount > 0 && fieldError ? intl.formatMessage(fieldError, fieldError.values) : undefined;
  }

  function clearServerError(name: Name) {
    if (error !== undefined && (!rejectedField || rejectedField === name)) formik.setStatus({});
  }

  function change(event: Change) {
    clearServerError(event.target.name as Name);
    setChanged(event.target.name as Name);
    formik.handleChange(event);
  }

  /** Set a value as if the visitor had typed it. */
  function setValue(name: Name, value: string) {
    clearServerError(name);
    void formik.setFieldValue(name, value);
  }

  /** Return the number of invalid fields on submit, then the error of the changed field. */
  function announce(): string | undefined {
    if (changed) return findError(changed);
    const count = names.filter(findError).length;
    return count > 0 && !pending ? intl.formatMessage({ id: 'forms.fields' }, { count }) : undefined;
  }

  /**
   * Take over the values that the fields show: a password manager may fill them before hydration, or without an event.
   *
   * @param target the field whose own event follows
   */
  function read({ elements }: HTMLFormElement, target?: EventTarget) {
    const shown = { ...values, ...readValues(elements, names) };
    const isUnread = (name: Name) => shown[name] !== values[name] && elements.namedItem(name) !== target;
    if (names.some(isUnread)) void formik.setValues(shown);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    flushSync(() => read(event.currentTarget)); // Formik submits the values of the last render
    formik.setStatus({});
    setChanged(undefined);
    formik.handleSubmit(event);
  }

  const readOthers = ({ currentTarget, target }: SyntheticEvent<HTMLFormElement>) =>
    read(currentTarget, target);
  const readAll = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => read(currentTarget);

  const form: FormState = {
    handlers: { onClickCapture: readAll, onChangeCapture: readOthers, onSubmit: submit },
    initialize: read,
    attempt: submitCount,
    pending,
    message: rejectedField ? undefined : message,
    announcement: announce(),
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
      error: findError(name),
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
