import { ArrowLeft, Check } from 'lucide';
import { useEffect, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { trackButton } from '../../consent/track';
import heroLandingSquare from '@media/hero-landing-square.avif?picture';
import heroLandingStrip from '@media/hero-landing-strip.avif?picture';
import { useGoBack } from '../../routing/useGoBack';
import { Button, ButtonLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { focusHeading } from '../../ui/pageStart';
import { passFocusOn } from '../../ui/passFocusOn';
import * as styles from './NewsletterPage.module.css';
import { SubscriptionForm } from './SubscriptionForm';
import type { FormScene } from '../../layouts/AuthLayout';

export { AuthLayout as Layout } from '../../layouts/AuthLayout';

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
  const [visit, setVisit] = useState(key);
  // A link to this page starts again; a legal document, which has a fragment, opens over what is typed.
  if (visit !== key && !hash) setVisit(key);
  return <Newsletter key={visit} />;
}

function Newsletter() {
  const goBack = useGoBack();
  const [isSubscribed, setSubscribed] = useState(false);

  function leave() {
    trackButton('back', 'newsletter');
    goBack();
  }

  return (
    <>
      {isSubscribed ? (
        <Welcome />
      ) : (
        <>
          <Button variant="ghost" className={styles.back} onClick={leave}>
            <Icon icon={ArrowLeft} size={20} />
            <FormattedMessage id="newsletter.back" />
          </Button>
          <h1 ref={passFocusOn} className={styles.title}>
            <FormattedMessage id="newsletter.title" />
          </h1>
          <p className={styles.lead}>
            <FormattedMessage id="newsletter.lead" />
          </p>
          <SubscriptionForm onSubscribed={() => setSubscribed(true)} />
        </>
      )}
      {/* A live region must exist before its text. */}
      <p role="status" className="visually-hidden">
        {isSubscribed && (
          <>
            <FormattedMessage id="newsletter.confirmed" /> <FormattedMessage id="newsletter.checkEmail" />{' '}
            <FormattedMessage id="newsletter.oneClick" />
          </>
        )}
      </p>
    </>
  );
}

/** The confirmation that replaces the form (spec section 2, Newsletter). */
function Welcome() {
  // The focused button has been removed.
  useEffect(focusHeading, []);

  return (
    <div className={styles.welcome}>
      <span className={styles.mark}>
        <Icon icon={Check} size={36} />
      </span>
      <h1 ref={passFocusOn} className={styles.welcomeTitle}>
        <FormattedMessage id="newsletter.welcome" />
      </h1>
      <p className={styles.confirmed}>
        <FormattedMessage id="newsletter.confirmed" />
      </p>
      <p className={styles.text}>
        <FormattedMessage id="newsletter.checkEmail" />
      </p>
      <p className={styles.text}>
        <FormattedMessage id="newsletter.oneClick" />
      </p>
      <ButtonLink to="/" className={styles.home} onClick={() => trackButton('back_to_home', 'newsletter')}>
        <FormattedMessage id="newsletter.backHome" />
      </ButtonLink>
    </div>
  );
}
