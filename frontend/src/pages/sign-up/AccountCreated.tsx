import { MailCheck } from 'lucide';
import { useEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { ButtonLink } from '../../ui/Button';
import { IconDisc } from '../../ui/IconDisc';
import * as styles from './AccountCreated.module.css';

/** How long the confirmation stands before the page goes to /signin, in milliseconds (spec sections 2 and 9). */
const REDIRECT_AFTER = 3000;

/** What stands in place of the form once there is an account; it goes to /signin by itself. */
export function AccountCreated() {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);

  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);

  useEffect(() => {
    const timer = setTimeout(() => void navigate('/signin', { replace: true }), REDIRECT_AFTER);
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
