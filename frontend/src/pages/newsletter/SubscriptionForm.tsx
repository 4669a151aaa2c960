import { Building2, Sailboat } from 'lucide';
import {
  type ChangeEvent,
  type ComponentType,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { FormattedMessage, useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import { isServerReachable, loadChunk } from '../../lazy/loadChunk';
import { useLanguage } from '../../i18n/LanguageProvider';
import { Button } from '../../ui/Button';
import { ChoiceField } from '../../ui/ChoiceField';
import { FormMessage } from '../../ui/FormMessage';
import { TextField } from '../../ui/TextField';
import type { Source } from './source';
import type { SubscriptionValues } from './subscription.schema';
import * as styles from './SubscriptionForm.module.css';
import type { RunnerProps, SubscriptionRun, SubscriptionState } from './SubscriptionRunner';

interface SubscriptionFormProps {
  source: Source | null;
  /** Told what to show in place of the form. */
  onSubscribed: (welcome: ReactNode) => void;
}

/**
 * The form of the newsletter page.
 *
 * Its fields are there at once, and the browser keeps what is typed. What validates and sends it (Formik, yup,
 * Apollo) weighs as much as the whole page, so it comes when the visitor first touches the form. The fields stay
 * the same elements all the while: replacing one would lose a click under way, or close a phone's keyboard.
 *
 * Without that code, because there is no script, or none yet, the browser itself posts the form to Django
 * (newsletter/views.py), which answers with a page of its own.
 */
export function SubscriptionForm({ source, onSubscribed }: SubscriptionFormProps) {
  const { formatMessage } = useIntl();
  const { language } = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const run = useRef<SubscriptionRun>(null);
  const shownAt = useRef(0);
  const [live, setLive] = useState<{
    Runner: ComponentType<RunnerProps>;
    initialValues: SubscriptionValues;
  }>();
  const [state, setState] = useState<SubscriptionState>({ attempt: 0, pending: false });

  useEffect(() => {
    shownAt.current = performance.now();
    // A field may have been touched before React was there to hear of it.
    if (form.current?.matches(':focus-within')) loadChunk(loadRunner, 'optional').catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!state.pending) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [state.pending, state.attempt]);

  async function prepare() {
    const Runner = await loadChunk(loadRunner, 'optional');
    if (run.current || !form.current) return;
    const initialValues = valuesOf(form.current);
    flushSync(() => setLive({ Runner, initialValues }));
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!run.current) {
      setState({ attempt: 0, pending: true });
      try {
        await prepare();
      } catch {
        // A deploy may have taken the code away: the form works without.
        const isReachable = await isServerReachable();
        setState({ attempt: 0, pending: false, unreachable: !isReachable });
        if (isReachable) form.current?.submit();
      }
    }
    run.current?.submit();
  }

  function change(event: ChangeEvent<HTMLFormElement>) {
    run.current?.change(event);
    if (event.target.matches('[name="userType"]')) {
      const { userType } = valuesOf(event.currentTarget);
      track('user_type_selection', { user_type: userType, location: 'newsletter' });
    }
  }

  function prepareAhead() {
    // Should it fail, the visitor learns so on submitting, which tries again.
    if (!live) prepare().catch(() => undefined);
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- looks on, acts for nobody
    <form
      ref={form}
      className={styles.form}
      method="post"
      action={`/newsletter/subscribe/?lang=${language}`}
      noValidate
      onPointerDown={prepareAhead}
      onFocus={prepareAhead}
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
        error={state.emailError}
      />
      {/* The honeypot: no person meets it, a program that fills in every field does. */}
      <input className="visually-hidden" name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" />
      <input type="hidden" name="source" value={source ?? ''} />
      {/* What is agreed to: newsletter/consent.py has its version on record. */}
      <p className={styles.statement}>
        <FormattedMessage id="newsletter.statement" />
      </p>
      <FormMessage>
        {state.unreachable ? formatMessage({ id: 'failure.unreachable' }) : state.formError}
      </FormMessage>
      {/* Stands there before its text, so that screen readers watch it. */}
      <p aria-live="polite" className="visually-hidden">
        {state.emailError}
      </p>
      <Button
        type="submit"
        onClick={() => track('button_click', { button: 'join_the_community', location: 'newsletter' })}
        pendingLabel={state.pending && formatMessage({ id: 'newsletter.submitting' })}
      >
        <FormattedMessage id="newsletter.submit" />
      </Button>
      {live && (
        <live.Runner
          ref={run}
          initialValues={live.initialValues}
          shownAt={shownAt}
          source={source}
          onStateChange={setState}
          onSubscribed={onSubscribed}
        />
      )}
    </form>
  );
}

async function loadRunner() {
  const module = await import(/* webpackChunkName: "newsletter-form" */ './SubscriptionRunner');
  return module.SubscriptionRunner;
}

function valuesOf(form: HTMLFormElement): SubscriptionValues {
  return Object.fromEntries(new FormData(form)) as SubscriptionValues;
}
