import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { Button } from '../ui/Button';
import type { Consent } from './consent';
import * as styles from './ConsentBanner.module.css';
import type { PrivacyRequest } from './privacyRequest';

interface ConsentBannerProps {
  /** The answer that holds now, if there is one. */
  consent: Consent | undefined;
  /** Set when the visitor asked for the banner, which then takes the focus. */
  request: PrivacyRequest | undefined;
  onAnswer: (answer: Consent) => void;
}

/**
 * Asks whether the visit may be measured. To reject is as easy as to accept: two buttons of one look and size
 * (EDPB guidelines 05/2020 on consent).
 */
export function ConsentBanner({ consent, request, onAnswer }: ConsentBannerProps) {
  const banner = useRef<HTMLElement>(null);
  const title = useId();

  // The page's end and whatever takes the focus can be scrolled out from under the banner (WCAG 2.4.11). After every
  // render, for another language makes it another height.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const makeRoom = () => style.setProperty('--banner', `${banner.current?.offsetHeight ?? 0}px`);
    makeRoom();
    window.addEventListener('resize', makeRoom);
    return () => {
      window.removeEventListener('resize', makeRoom);
      style.removeProperty('--banner');
    };
  });

  useEffect(() => {
    if (request) banner.current?.focus();
  }, [request]);

  return (
    <section ref={banner} className={styles.banner} data-surface="dark" aria-labelledby={title} tabIndex={-1}>
      <div className={styles.content}>
        <div className={styles.words}>
          <h2 id={title} className={styles.title}>
            <FormattedMessage id="privacy.title" />
          </h2>
          <p>
            <FormattedMessage id="privacy.text" />
          </p>
          {consent && (
            <p className={styles.now}>
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
