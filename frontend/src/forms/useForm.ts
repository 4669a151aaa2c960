import { type FormikErrors, useFormik } from 'formik';
import { type ChangeEvent, type SubmitEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ObjectSchema } from 'yup';

import { formFailure, serverErrors } from '../graphql/errors';
import type { MessageId } from '../i18n/catalogues';

type Change = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

interface FormOptions<Values extends object> {
  initialValues: Values;
  /** What is taken; the message of a broken rule is the id of one in the catalogues. */
  schema: ObjectSchema<Values>;
  /** The number that the messages of a field may name as `limit`. */
  limits: { [Name in keyof Values]?: number };
  /** Sends the values as the schema cast them; rejects with what the call failed of. */
  send: (values: Values) => Promise<void>;
  /** What to say of a failure that has no words of its own. */
  fallback: MessageId;
}

/** A form as it stands now, for `Form` and its fields. */
export interface FormState {
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** How often it has been submitted. */
  attempt: number;
  /** Whether it is being sent, or has been. */
  pending: boolean;
  /** Why it could not be sent, unless that is about one field. */
  message: string | undefined;
  /** What a screen reader says of the fields: how many are wrong once it is submitted, then the one that is changed. */
  announcement: string | undefined;
}

/**
 * Runs a form: follows its values, validates and sends them, says what went wrong.
 *
 * Errors show once the visitor has submitted, and from then on follow each change. What the server says about one
 * field (`extensions.field`) is that field's error until its value changes. Nothing that was typed is ever dropped.
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
  // One entry a field, each the id of a message.
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

  function announcement(): string | undefined {
    if (changed) return errorOf(changed);
    const count = (Object.keys(values) as Name[]).filter(errorOf).length;
    return count > 0 && !pending ? intl.formatMessage({ id: 'failure.fields' }, { count }) : undefined;
  }

  const form: FormState = {
    submit: (event) => {
      event.preventDefault();
      if (pending) return;
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
