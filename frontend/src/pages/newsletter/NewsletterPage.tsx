import { clsx } from 'clsx';
import { ArrowLeft, Building2, Check, Sailboat } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useLocation } from 'react-router-dom';

import heroLandingSquare from '@media/hero-landing-square.avif?picture';
import heroLandingStrip from '@media/hero-landing-strip.avif?picture';
import { isServerReachable } from '../../lib/loadChunk';
import { track } from '../../consent/track';
import { Form } from '../../forms/Form';
import { useEmailForm } from '../../forms/useEmailForm';
import { useLanguage, useT } from '../../i18n/LanguageProvider';
import { AuthIntro } from '../../shell/AuthIntro';
import type { FormScene } from '../../shell/AuthLayout';
import { AcceptTerms } from '../../legal/AcceptTerms';
import { isLegalHash } from '../../legal/LegalLink';
import { useAttribution, useInvitation } from '../../lib/attribution';
import { useGoBack } from '../../lib/router/navigation';
import { Button, ButtonLink } from '../../ui/Button';
import { ChoiceField } from '../../ui/Choices';
import { Confirmation } from '../../ui/Confirmation';
import { Icon } from '../../ui/Icon';
import { TextField } from '../../ui/Field';
import * as styles from './NewsletterPage.module.css';

export { AuthLayout as Layout } from '../../shell/AuthLayout';

export const scene: FormScene = {
  picture: heroLandingStrip,
  square: heroLandingSquare,
  alt: 'newsletter.picture',
  text: 'newsletter.pictureLine',
  className: styles.screen,
};

/** `/newsletter`: the newsletter form, then its confirmation (spec section 2, Newsletter). */
export default function NewsletterPage() {
  const { key, hash } = useLocation();
  const [shown, setShown] = useState({ key, hash, visit: key });
  if (shown.key !== key) {
    // A link to this page starts again; a legal document, which has a fragment, opens and closes over what is typed.
    const isSameVisit = hash !== '' || isLegalHash(shown.hash);
    setShown({ key, hash, visit: isSameVisit ? shown.visit : key });
  }
  return <Newsletter key={shown.visit} />;
}

function Newsletter() {
  const t = useT();
  const goBack = useGoBack();
  const [email, setEmail] = useState('');

  return (
    <Confirmation
      isDone={email !== ''}
      icon={Check}
      title={t('newsletter.welcome')}
      message={t('newsletter.confirmed')}
      texts={[t('newsletter.checkEmail'), t('newsletter.oneClick'), t('newsletter.sentTo', { email })]}
      link={
        <ButtonLink to="/" data-track="back_to_home">
          {t('newsletter.backHome')}
        </ButtonLink>
      }
    >
      <Button
        variant="ghost"
        className={clsx(styles.back, 'needs-script')}
        data-track="back"
        onClick={goBack}
      >
        <Icon icon={ArrowLeft} size={20} />
        <FormattedMessage id="newsletter.back" />
      </Button>
      <AuthIntro title={t('newsletter.title')} lead={t('newsletter.lead')} />
      <SubscriptionForm onSubscribed={setEmail} />
    </Confirmation>
  );
}

const SOURCES = ['landing-sailors', 'landing-companies'] as const;

/**
 * The newsletter form. Without JavaScript the browser posts it to Django (newsletter/views.py).
 *
 * A function as `action` would replace the address of that plain POST in the prerendered HTML, and `useActionState` would
 * hold back every navigation transition until the server has answered.
 */
function SubscriptionForm({ onSubscribed }: { onSubscribed: (email: string) => void }) {
  const t = useT();
  const language = useLanguage();
  const source = getSource(useLocation().search);
  const attribution = useAttribution();
  const invitation = useInvitation();
  const shownAt = useRef(0);
  useEffect(() => void (shownAt.current = performance.now()), []);

  const { form, field } = useEmailForm({
    load: loadSubscribe,
    send: async (email, element) => {
      const answers = Object.fromEntries(new FormData(element)) as Record<string, string>;
      const userType = answers.userType === 'company' ? 'company' : 'sailor';
      try {
        const { subscribe } = await loadSubscribe();
        const values = { ...attribution, invitation, userType, email, website: answers.berth, source };
        const error = await subscribe(values, shownAt.current);
        if (error) return error;
      } catch (error) {
        if (!(await isServerReachable())) throw error;
        // A deploy has removed the chunk.
        element.submit();
        return undefined;
      }
      track('newsletter_signup', { user_type: userType, ...(source && { signup_source: source }) });
      onSubscribed(email);
      return undefined;
    },
  });

  return (
    <Form
      form={form}
      action={`/newsletter/subscribe/?lang=${language}`}
      actions={
        <Button
          type="submit"
          data-track="join_the_community"
          pendingLabel={form.pending && t('newsletter.submitting')}
        >
          {t('newsletter.submit')}
        </Button>
      }
    >
      <ChoiceField
        label={t('newsletter.userType')}
        name="userType"
        onChange={(userType) => track('user_type_selection', { user_type: userType, location: 'newsletter' })}
        defaultValue={source === 'landing-companies' ? 'company' : 'sailor'}
        choices={[
          { value: 'sailor', label: t('newsletter.sailor'), icon: Sailboat },
          { value: 'company', label: t('newsletter.company'), icon: Building2 },
        ]}
      />
      <TextField {...field} label={t('newsletter.email')} autoComplete="email" />
      {/* Honeypot: hidden from people, filled in by bots. No autofill knows its name. */}
      <label className="visually-hidden" aria-hidden="true">
        <FormattedMessage id="newsletter.honeypot" />
        <input name="berth" tabIndex={-1} autoComplete="off" />
      </label>
      <input type="hidden" name="source" value={source ?? ''} />
      {Object.entries(attribution).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {invitation && <input type="hidden" name="invitation" value={invitation} />}
      {/* newsletter/models/consent.py has the same statement and the version of its wording. */}
      <p className={clsx('muted', styles.statement)}>{t('newsletter.statement')}</p>
      <p className={clsx('muted', styles.statement)}>
        <AcceptTerms message="newsletter.subscribing" />
      </p>
    </Form>
  );
}

/** Return the landing page that the query names as source; null for none or an unknown one. */
function getSource(search: string) {
  const named = new URLSearchParams(search).get('source');
  return SOURCES.find((source) => source === named) ?? null;
}

function loadSubscribe() {
  return import(/* webpackChunkName: "newsletter-subscribe" */ './subscribe');
}
