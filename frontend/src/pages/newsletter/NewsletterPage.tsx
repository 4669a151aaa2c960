import { ArrowLeft } from 'lucide';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import heroLandingSquare from '@media/hero-landing-square.avif?picture';
import heroLandingStrip from '@media/hero-landing-strip.avif?picture';
import { AUDIENCE_MENU } from '../../menus/menus';
import { PageShell } from '../../layouts/PageShell';
import { Scene } from '../../layouts/Scene';
import { useGoBack } from '../../routing/useGoBack';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as styles from './NewsletterPage.module.css';
import { SubscriptionForm } from './SubscriptionForm';
import { Welcome } from './Welcome';

/** `/newsletter`: the newsletter form, then its confirmation (spec section 2, Newsletter). */
export default function NewsletterPage() {
  const { formatMessage } = useIntl();
  const goBack = useGoBack();
  const [isSubscribed, setSubscribed] = useState(false);

  function leave() {
    trackButton('back', 'newsletter');
    goBack();
  }

  const scene = (
    <Scene
      picture={heroLandingStrip}
      square={heroLandingSquare}
      alt={formatMessage({ id: 'newsletter.picture' })}
      line={formatMessage({ id: 'newsletter.pictureLine' })}
      className={styles.scene}
    />
  );

  return (
    <PageShell menu={AUDIENCE_MENU} layout="beside" scene={scene}>
      <div className={styles.page}>
        {isSubscribed ? (
          <Welcome />
        ) : (
          <>
            <Button variant="ghost" className={styles.back} onClick={leave}>
              <Icon of={ArrowLeft} size={20} />
              <FormattedMessage id="navigation.back" />
            </Button>
            <h1 className={styles.title}>
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
      </div>
    </PageShell>
  );
}
