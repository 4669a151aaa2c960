import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { Button } from '../ui/Button';
import type { Consent } from './consent';
import * as styles from './ConsentBanner.module.css';

interface ConsentBannerProps {
  /** The current answer. */
  consent: Consent | undefined;
  /** Set when the visitor opened the banner, which then takes the focus. */
  request: Event | undefined;
  onAnswer: (answer: Consent) => void;
}

/** Ask for consent. Rejecting is as easy as accepting (EDPB guidelines 05/2020 on consent). */
export function ConsentBanner({ consent, request, onAnswer }: ConsentBannerProps) {
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
