import { MailCheck } from 'lucide';
import { useEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { ButtonLink } from '../../ui/Button';
import { IconDisc } from '../../ui/IconDisc';
import { scrollPage } from '../../ui/pageStart';
import * as styles from './AccountCreated.module.css';

/** Spec sections 2 and 9. */
const REDIRECT_DELAY_MS = 3000;

/** The confirmation that replaces the form, then redirects to /signin. */
export function AccountCreated() {
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
      <IconDisc of={MailCheck} />
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
