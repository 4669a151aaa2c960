import { Check } from 'lucide';
import { useEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../consent/track';
import { ButtonLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as styles from './Welcome.module.css';

/** The confirmation that replaces the form (spec section 2, Newsletter). */
export function Welcome() {
  const heading = useRef<HTMLHeadingElement>(null);

  // The focused button has been removed.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className={styles.welcome}>
      <span className={styles.mark}>
        <Icon of={Check} size={36} />
      </span>
      <h1 ref={heading} className={styles.title} tabIndex={-1}>
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
