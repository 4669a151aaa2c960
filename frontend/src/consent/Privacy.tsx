import { clsx } from 'clsx';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { Button } from '../ui/Button';
import { reloadPage } from '../lib/reloadPage';
import { useSiteConfig } from '../lib/SiteConfig';
import { type Consent, storeConsent, useConsent } from './consent';
import { startTag, stopTag } from './tag';
import * as styles from './Privacy.module.css';

export interface PrivacyProps {
  /** The event of the button that opened the banner, which takes the focus and gives it back. */
  request: Event | undefined;
  onClose: () => void;
}

/** Ask for consent when it is needed, and start or stop Google's tag by the answer. */
export default function Privacy({ request, onClose }: PrivacyProps) {
  const t = useT();
  const { gaMeasurementId } = useSiteConfig();
  const consent = useConsent();
  const banner = useRef<HTMLElement>(null);
  const title = useId();
  const isShown = !consent || request !== undefined;

  useEffect(() => {
    if (consent === 'granted') startTag(gaMeasurementId);
    else stopTag(gaMeasurementId);
  }, [consent, gaMeasurementId]);

  useLayoutEffect(() => {
    const { current } = banner;
    if (!current) return undefined;
    if (request) current.focus();
    // Scroll padding keeps the focused element clear of the banner (WCAG 2.4.11).
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--banner', `${current.offsetHeight}px`));
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty('--banner');
    };
  }, [isShown, request]);

  function giveAnswer(answer: Consent) {
    storeConsent(answer);
    onClose();
    if (consent === 'granted' && answer === 'denied') {
      stopTag(gaMeasurementId);
      reloadPage(); // without Google's tag
    } else if (request?.target instanceof HTMLElement) request.target.focus();
  }

  if (!isShown) return null;
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
            {t('privacy.title')}
          </h2>
          <p>{t('privacy.text')}</p>
          {consent && (
            <p className={styles.currentAnswer}>
              {t(consent === 'granted' ? 'privacy.granted' : 'privacy.denied')}
            </p>
          )}
        </div>
        {/* Rejecting is as easy as accepting (EDPB guidelines 05/2020 on consent). */}
        <div className={styles.answers}>
          <Button onClick={() => giveAnswer('denied')}>{t('privacy.reject')}</Button>
          <Button onClick={() => giveAnswer('granted')}>{t('privacy.accept')}</Button>
        </div>
      </div>
    </section>
  );
}
