import { clsx } from 'clsx';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { Button } from '../ui/Button';
import { reloadPage } from '../lib/reloadPage';
import { useSiteConfig } from '../lib/SiteConfig';
import { type Consent, storeConsent, useConsent } from './consent';
import { startTag, stopTag } from './tag';
import * as styles from './Privacy.module.css';

export interface PrivacyProps {
  /** The event of the button that opened the banner, which gets the focus back. */
  request: Event | undefined;
  onClose: () => void;
}

/** Show the consent banner when needed, and start or stop Google's tag by its answer. */
export default function Privacy({ request, onClose }: PrivacyProps) {
  const { gaMeasurementId } = useSiteConfig();
  const consent = useConsent();

  useEffect(() => {
    if (consent === 'granted') startTag(gaMeasurementId);
    else stopTag(gaMeasurementId);
  }, [consent, gaMeasurementId]);

  function giveAnswer(answer: Consent) {
    storeConsent(answer);
    onClose();
    if (consent === 'granted' && answer === 'denied') {
      stopTag(gaMeasurementId);
      reloadPage(); // without Google's tag
    } else if (request?.target instanceof HTMLElement) request.target.focus();
  }

  if (consent && !request) return null;
  return <ConsentBanner consent={consent} request={request} onAnswer={giveAnswer} />;
}

interface ConsentBannerProps {
  /** The current answer. */
  consent: Consent | undefined;
  /** Set when the visitor opened the banner, which then takes the focus. */
  request: Event | undefined;
  onAnswer: (answer: Consent) => void;
}

/** Ask for consent. Rejecting is as easy as accepting (EDPB guidelines 05/2020 on consent). */
function ConsentBanner({ consent, request, onAnswer }: ConsentBannerProps) {
  const banner = useRef<HTMLElement>(null);
  const title = useId();

  // Scroll padding keeps the focused element clear of the banner (WCAG 2.4.11). Measured after every render, because
  // the height depends on the language.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const updateHeight = () => style.setProperty('--banner', `${banner.current?.offsetHeight ?? 0}px`);
    updateHeight();
    window.addEventListener('resize', updateHeight);
    return () => {
      window.removeEventListener('resize', updateHeight);
      style.removeProperty('--banner');
    };
  });

  useEffect(() => {
    if (request) banner.current?.focus();
  }, [request]);

  return (
    <section
      ref={banner}
      className={clsx('screen-only', 'muted', styles.banner)}
      data-surface="dark"
      aria-labelledby={title}
      tabIndex={-1}
    >
      <div className={styles.content}>
        <div className={styles.text}>
          <h2 id={title} className={styles.title}>
            <FormattedMessage id="privacy.title" />
          </h2>
          <p>
            <FormattedMessage id="privacy.text" />
          </p>
          {consent && (
            <p className={styles.currentAnswer}>
              <FormattedMessage id={consent === 'granted' ? 'privacy.granted' : 'privacy.denied'} />
            </p>
          )}
        </div>
        <div className={styles.answers}>
          <Button onClick={() => onAnswer('denied')}>
            <FormattedMessage id="privacy.reject" />
          </Button>
          <Button onClick={() => onAnswer('granted')}>
            <FormattedMessage id="privacy.accept" />
          </Button>
        </div>
      </div>
    </section>
  );
}
