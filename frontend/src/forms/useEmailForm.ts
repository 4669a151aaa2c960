import { type SubmitEvent, useState } from 'react';
import { useIntl } from 'react-intl';

import type { FormError } from '../lib/api/errors';
import { isChunkLoadError } from '../lib/loadChunk';
import type { FormState } from './Form';
import { EMAIL_ATTRIBUTES, findEmailError } from './validation/email';

interface EmailFormOptions {
  /** Load the code that sends the form. Called when the visitor touches the form, and silent when it fails. */
  load: () => Promise<unknown>;
  /** Send the form with its email. Resolves to the error of the server, if any. */
  send: (email: string, form: HTMLFormElement) => Promise<FormError | undefined>;
}

interface SubmissionState {
  attempt: number;
  pending: boolean;
  error?: FormError | undefined;
}

/**
 * Manage a form whose one validated field is an email, on a page whose budget has no room for Formik and Yup
 * (docs/decisions/007). The fields are uncontrolled, so text typed before hydration is kept.
 */
export function useEmailForm({ load, send }: EmailFormOptions) {
  const intl = useIntl();
  const [{ attempt, pending, error }, setState] = useState<SubmissionState>({ attempt: 0, pending: false });
  const message = error?.getMessage(intl);
  const fieldError = error?.isAboutEmail ? message : undefined;

  const preload = () => void load().catch(() => undefined);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    const email = readEmail(form);
    let failure = findError(email);
    if (!failure) {
      setState({ attempt, pending: true });
      failure = await send(email, form).catch(describeFailure);
    }
    setState({ attempt: attempt + 1, pending: false, error: failure });
  }

  const form: FormState = {
    handlers: {
      onPointerDown: preload,
      onFocus: preload,
      onChange: ({ currentTarget }) => {
        if (attempt > 0) setState((state) => ({ ...state, error: findError(readEmail(currentTarget)) }));
      },
      onSubmit: (event) => void submit(event),
    },
    initialize: (element) => {
      // The field may have received focus before hydration.
      if (element.matches(':focus-within')) preload();
    },
    attempt,
    pending,
    message: fieldError ? undefined : message,
    announcement: fieldError,
  };

  return { form, field: { ...EMAIL_ATTRIBUTES, name: 'email', error: fieldError } };
}

function readEmail(form: HTMLFormElement): string {
  return (new FormData(form).get('email') as string).trim();
}

function findError(email: string): FormError | undefined {
  const message = findEmailError(email);
  return message && { getMessage: (intl) => intl.formatMessage(message, message.values), isAboutEmail: true };
}

/** Return what a form says when sending it throws, which its code does not when the server refuses it. */
function describeFailure(failure: unknown): FormError {
  const isOffline = isChunkLoadError(failure);
  if (!isOffline) reportError(failure);
  const id = isOffline ? 'failure.unreachable' : 'forms.failed';
  return { getMessage: (intl) => intl.formatMessage({ id }), isAboutEmail: false };
}
