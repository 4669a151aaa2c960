import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { useTypedValues } from '../../forms/useTypedValues';
import { EMAIL_LIMIT, findEmailError, unwrapEmail } from '../../forms/validation/email';
import { useSiteConfig } from '../../config/SiteConfig';
import { isChunkLoadError, loadChunk } from '../../chunks/loadChunk';
import { Button } from '../../ui/Button';
import { FormMessage } from '../../ui/FormMessage';
import { Link } from '../../ui/Link';
import { TextField } from '../../ui/TextField';
import { useHydrated } from '../../ui/useHydrated';
import * as styles from './ForgotPassword.module.css';
import type { Refusal } from './requestReset';

const EMAIL_ERRORS = {
  required: 'notFound.emailRequired',
  tooLong: 'notFound.emailTooLong',
  invalid: 'notFound.emailInvalid',
} as const;

interface SubmissionState {
  isPending: boolean;
  failedAttempts: number;
  refusal?: Refusal | undefined;
}

/**
 * The form that asks for a link to choose a new password (ruling 26). The answer is the same for every address.
 *
 * As in the newsletter form, the field is uncontrolled, and Apollo is imported on submit and preloaded on focus.
 */
export function ForgotPassword() {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { operator } = useSiteConfig();
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [sentTo, setSentTo] = useState<string>();
  const [{ isPending, failedAttempts, refusal }, setState] = useState<SubmissionState>({
    isPending: false,
    failedAttempts: 0,
  });
  const message = refusal?.message(intl);
  const emailError = refusal?.isAboutEmail ? message : undefined;

  useTypedValues(form);

  useEffect(() => {
    if (failedAttempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failedAttempts]);

  // The focused button has been removed.
  useEffect(() => {
    if (sentTo !== undefined) title.current?.focus();
  }, [sentTo]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const email = readEmail(event.currentTarget);
    let outcome = checkEmail(email);
    if (!outcome) {
      setState({ isPending: true, failedAttempts });
      outcome = await send(email);
    }
    setState({ isPending: false, failedAttempts: failedAttempts + 1, refusal: outcome });
    if (!outcome) setSentTo(email);
  }

  function change() {
    if (failedAttempts === 0 || !form.current) return;
    const outcome = checkEmail(readEmail(form.current));
    setState((current) => ({ ...current, refusal: outcome }));
  }

  return (
    <section className={styles.help} data-surface="light">
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        <FormattedMessage id={sentTo === undefined ? 'notFound.resetTitle' : 'notFound.resetSentTitle'} />
      </h2>
      {/* A live region must exist before its text. */}
      <p role="status" className={styles.text}>
        {sentTo !== undefined && (
          <FormattedMessage id="notFound.resetSent" values={{ email: <strong>{sentTo}</strong> }} />
        )}
      </p>
      {sentTo === undefined ? (
        <>
          <p className={styles.invitation}>
            <FormattedMessage id="notFound.resetText" />
          </p>
          <p className={styles.noScript}>
            <FormattedMessage
              id="notFound.resetNoScript"
              values={{ email: <a href={`mailto:${operator.email}`}>{operator.email}</a> }}
            />
          </p>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only preloads */}
          <form
            ref={form}
            className={styles.form}
            noValidate
            onPointerDown={preload}
            onFocus={preload}
            onChange={change}
            onSubmit={(event) => void submit(event)}
          >
            {/* Before React handles it, the browser would send the form with the email in the URL. */}
            <fieldset disabled={!isHydrated} className={styles.fields}>
              <TextField
                label={formatMessage({ id: 'notFound.email' })}
                name="email"
                type="email"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                error={emailError}
              />
              <FormMessage>{refusal?.isAboutEmail ? undefined : message}</FormMessage>
              {/* A live region must exist before its text. */}
              <p aria-live="polite" className="visually-hidden">
                {emailError}
              </p>
              <Button
                type="submit"
                onClick={() => trackButton('send_reset_link', 'not-found')}
                pendingLabel={isPending && formatMessage({ id: 'notFound.resetSending' })}
              >
                <FormattedMessage id="notFound.resetSend" />
              </Button>
            </fieldset>
          </form>
        </>
      ) : (
        <Link to="/signin" className={styles.link}>
          <FormattedMessage id="navigation.signIn" />
        </Link>
      )}
    </section>
  );
}

function readEmail(form: HTMLFormElement): string {
  return unwrapEmail(new FormData(form).get('email') as string);
}

function checkEmail(email: string): Refusal | undefined {
  const id = findEmailError(email, EMAIL_ERRORS);
  return id && { message: (intl) => intl.formatMessage({ id }, { limit: EMAIL_LIMIT }), isAboutEmail: true };
}

async function send(email: string): Promise<Refusal | undefined> {
  try {
    const { requestReset } = await loadChunk(loadRequest, 'required');
    return await requestReset(email);
  } catch (error) {
    const isOffline = isChunkLoadError(error);
    if (!isOffline) reportError(error);
    const id = isOffline ? 'failure.unreachable' : 'notFound.resetFailed';
    return { message: (intl) => intl.formatMessage({ id }), isAboutEmail: false };
  }
}

function loadRequest() {
  return import(/* webpackChunkName: "request-reset" */ './requestReset');
}

/** Load the code that sends the form; submitting tries again when this fails. */
function preload() {
  loadRequest().catch(() => undefined);
}
