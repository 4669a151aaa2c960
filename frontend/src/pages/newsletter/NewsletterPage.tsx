import { ArrowLeft } from 'lucide';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { track } from '../../analytics/track';
import { heroLanding } from '../../pictures/hero-landing';
import { AUDIENCE_MENU } from '../../shell/menus';
import { PageShell } from '../../shell/PageShell';
import { useGoBack } from '../../shell/useGoBack';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Wave } from '../../ui/Wave';
import * as styles from './NewsletterPage.module.css';
import { sourceOf } from './source';
import { SubscriptionForm } from './SubscriptionForm';

/** `/newsletter`: a visitor asks for our mails (spec section 2, Newsletter). */
export function NewsletterPage() {
  const goBack = useGoBack();
  const source = sourceOf(useLocation().state);
  const [welcome, setWelcome] = useState<ReactNode>();

  function leave() {
    track('button_click', { button: 'back', location: 'newsletter' });
    goBack();
  }

  return (
    <PageShell menu={AUDIENCE_MENU} layout="beside" scene={<Dawn />}>
      <div className={styles.page}>
        {welcome ?? (
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
            <SubscriptionForm source={source} onSubscribed={setWelcome} />
          </>
        )}
        {/* Stands there before its text, so that the text is announced. */}
        <p role="status" className="visually-hidden">
          {welcome !== undefined && (
            <>
              <FormattedMessage id="newsletter.confirmed" /> <FormattedMessage id="newsletter.checkEmail" />
            </>
          )}
        </p>
      </div>
    </PageShell>
  );
}

/** A yacht at first light, and a line of copy where the water is dark. */
function Dawn() {
  const { formatMessage } = useIntl();
  return (
    <aside className={styles.dawn} data-surface="dark">
      <Picture
        files={heroLanding}
        alt={formatMessage({ id: 'newsletter.picture' })}
        sizes="(width >= 1024px) max(55vw, 178vh), max(100vw, 54vh)"
        className={styles.picture}
      />
      <p className={styles.line}>
        <FormattedMessage id="newsletter.pictureLine" />
      </p>
      <Wave className={styles.wave} />
    </aside>
  );
}
