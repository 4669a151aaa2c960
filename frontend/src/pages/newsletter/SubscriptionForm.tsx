import { Building2, Sailboat } from 'lucide';
import { type ChangeEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { track, trackButton } from '../../consent/track';
import { useTypedValues } from '../../forms/useTypedValues';
import { EMAIL_LIMIT, findEmailError, unwrapEmail } from '../../forms/validation/email';
import { useLanguage } from '../../i18n/LanguageProvider';
import { isServerReachable } from '../../chunks/loadChunk';
import { AcceptTerms } from '../../legal/AcceptTerms';
import { Button } from '../../ui/Button';
import { ChoiceField } from '../../ui/ChoiceField';
import { FormMessage } from '../../ui/FormMessage';
import { TextField } from '../../ui/TextField';
import type { Refusal } from './subscribe';
import * as styles from './SubscriptionForm.module.css';

const SOURCES = ['landing-sailors', 'landing-companies'] as const;

const EMAIL_ERRORS = {
  required: 'newsletter.emailRequired',
  tooLong: 'newsletter.emailTooLong',
  invalid: 'newsletter.emailInvalid',
} as const;

interface FormValues {
  userType: 'sailor' | 'company';
  email: string;
  berth: string;
}

interface SubmissionState {
  isPending: boolean;
  failedAttempts: number;
  refusal?: Refusal | undefined;
}

/**
 * The newsletter form.
 *
 * The fields are uncontrolled, so text typed before hydration is kept. Apollo is imported on submit, and preloaded on
 * focus. Without JavaScript the browser posts the form to Django (newsletter/views.py).
 *
 * State is plain `useState`: a function as `action` would replace the address of the plain POST in the prerendered
 * HTML, and `useActionState` would hold back every navigation transition until the server has answered.
 */
export function SubscriptionForm({ onSubscribed }: { onSubscribed: () => void }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { language } = useLanguage();
  const source = getSource(useLocation().search);
  const form = useRef<HTMLFormElement>(null);
  const shownAt = useRef(0);
  const [state, setState] = useState<SubmissionState>({ isPending: false, failedAttempts: 0 });
  const { isPending, failedAttempts, refusal } = state;
  const message = refusal?.message(intl);
  const emailError = refusal?.isAboutEmail ? message : undefined;

  useTypedValues(form);

  useEffect(() => {
    shownAt.current = performance.now();
    // The field may have received focus before hydration.
    if (form.current?.matches(':focus-within')) preload();
  }, []);

  useEffect(() => {
    if (failedAttempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failedAttempts]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const element = event.currentTarget;
    const { userType, email, berth } = readValues(element);
    let outcome = checkEmail(email);
    if (!outcome) {
      setState({ isPending: true, failedAttempts });
      try {
        const { subscribe } = await loadSubscribe();
        const input = { userType, email, website: berth, source };
        outcome = await subscribe(input, shownAt.current);
      } catch {
        if (await isServerReachable()) {
          // A deploy has removed the chunk, so the browser posts the form.
          setState({ isPending: false, failedAttempts });
          element.submit();
          return;
        }
        outcome = {
          message: (current) => current.formatMessage({ id: 'failure.unreachable' }),
          isAboutEmail: false,
        };
      }
    }
    if (outcome) {
      setState({ isPending: false, failedAttempts: failedAttempts + 1, refusal: outcome });
    } else {
      track('newsletter_signup', { user_type: userType, ...(source && { signup_source: source }) });
      onSubscribed();
    }
  }

  function change({ currentTarget, target }: ChangeEvent<HTMLFormElement>) {
    const { userType, email } = readValues(currentTarget);
    if (target.matches('[name="userType"]')) {
      track('user_type_selection', { user_type: userType, location: 'newsletter' });
    }
    if (failedAttempts > 0) setState((current) => ({ ...current, refusal: checkEmail(email) }));
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only preloads
    <form
      ref={form}
      className={styles.form}
      method="post"
      action={`/newsletter/subscribe/?lang=${language}`}
      noValidate
      onPointerDown={preload}
      onFocus={preload}
      onChange={change}
      onSubmit={(event) => void submit(event)}
    >
      <ChoiceField
        label={formatMessage({ id: 'newsletter.userType' })}
        name="userType"
        defaultValue={source === 'landing-companies' ? 'company' : 'sailor'}
        choices={[
          { value: 'sailor', label: formatMessage({ id: 'newsletter.sailor' }), icon: Sailboat },
          { value: 'company', label: formatMessage({ id: 'newsletter.company' }), icon: Building2 },
        ]}
      />
      <TextField
        label={formatMessage({ id: 'newsletter.email' })}
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={emailError}
      />
      {/* Honeypot: hidden from people, filled in by bots. No autofill knows its name. */}
      <label className="visually-hidden" aria-hidden="true">
        <FormattedMessage id="newsletter.honeypot" />
        <input name="berth" tabIndex={-1} autoComplete="off" />
      </label>
      <input type="hidden" name="source" value={source ?? ''} />
      {/* newsletter/models.py has the same statement and the version of its wording. */}
      <p className={styles.statement}>
        <FormattedMessage id="newsletter.statement" />
      </p>
      <p className={styles.statement}>
        <AcceptTerms message="newsletter.subscribing" />
      </p>
      <FormMessage>{refusal?.isAboutEmail ? undefined : message}</FormMessage>
      {/* A live region must exist before its text. */}
      <p aria-live="polite" className="visually-hidden">
        {emailError}
      </p>
      <Button
        type="submit"
        onClick={() => trackButton('join_the_community', 'newsletter')}
        pendingLabel={isPending && formatMessage({ id: 'newsletter.submitting' })}
      >
        <FormattedMessage id="newsletter.submit" />
      </Button>
    </form>
  );
}

/** Return the landing page that the query names as source; null for none or an unknown one. */
function getSource(search: string) {
  const named = new URLSearchParams(search).get('source');
  return SOURCES.find((source) => source === named) ?? null;
}

function readValues(form: HTMLFormElement): FormValues {
  const values = Object.fromEntries(new FormData(form)) as unknown as FormValues;
  return { ...values, email: unwrapEmail(values.email) };
}

function checkEmail(email: string): Refusal | undefined {
  const id = findEmailError(email, EMAIL_ERRORS);
  return id && { message: (intl) => intl.formatMessage({ id }, { limit: EMAIL_LIMIT }), isAboutEmail: true };
}

function loadSubscribe() {
  return import(/* webpackChunkName: "newsletter-subscribe" */ './subscribe');
}

/** Load the code that sends the form; submitting tries again when this fails. */
function preload() {
  loadSubscribe().catch(() => undefined);
}
