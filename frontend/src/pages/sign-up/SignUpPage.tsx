import { MailCheck } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import heroSailorsSquare from '@media/hero-sailors-square.avif?picture';
import heroSailorsStrip from '@media/hero-sailors-strip.avif?picture';
import { ButtonLink } from '../../ui/Button';
import { IconDisc } from '../../ui/Icon';
import { scrollPage } from '../../ui/pageStart';
import { SignUpForm } from './SignUpForm';
import * as styles from './SignUpPage.module.css';
import type { FormScene } from '../../layouts/AuthLayout';

export { AuthLayout as Layout } from '../../layouts/AuthLayout';

/** Spec sections 2 and 9. */
const REDIRECT_DELAY_MS = 3000;

export const scene: FormScene = {
  picture: heroSailorsStrip,
  square: heroSailorsSquare,
  alt: 'auth.signUpPicture',
  text: 'auth.signUpPictureLine',
  className: styles.screen,
};

/** `/signup`: the form, then its confirmation (spec section 2, Sign-up). */
export default function SignUpPage() {
  const [isCreated, setCreated] = useState(false);

  return (
    <>
      {!isCreated && <SignUpForm onCreated={() => setCreated(true)} />}
      {/* A live region must exist before its text. */}
      <div role="status">{isCreated && <AccountCreated />}</div>
    </>
  );
}

/** The confirmation that replaces the form, then redirects to /signin. */
function AccountCreated() {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);

  // The focused button at the end of the long form has been removed.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollPage(0);
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/signin', { replace: true }), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [navigate]);

  return (
    <div className={styles.created}>
      <IconDisc icon={MailCheck} />
      <h1 ref={heading} className={styles.title} tabIndex={-1}>
        <FormattedMessage id="auth.welcome" />
      </h1>
      <p className={styles.message}>
        <FormattedMessage id="auth.created" />
      </p>
      <p className={styles.next}>
        <FormattedMessage id="auth.redirecting" />
      </p>
      <ButtonLink to="/signin" className={styles.signIn}>
        <FormattedMessage id="navigation.signIn" />
      </ButtonLink>
    </div>
  );
}
