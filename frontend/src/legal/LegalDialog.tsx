import { clsx } from 'clsx';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { requestPrivacySettings } from '../consent/consent';
import { DEFAULT_LANGUAGE, type Language, readStoredLanguage } from '../i18n/languages';
import { useLanguage, useT } from '../i18n/LanguageProvider';
import { useShownLocation } from '../lib/router/shownLocation';
import { useToast } from '../shell/ToastProvider';
import { Dialog } from '../ui/Dialog';
import { Spinner } from '../ui/Icon';
import * as styles from './LegalDialog.module.css';
import { LegalLink, OPENED_HERE } from './LegalLink';

/** A document that comes at once is not announced. */
const ANNOUNCEMENT_DELAY_MS = 200;

export interface LegalDialogProps {
  document: 'privacy' | 'terms';
}

/** A legal document of the server over the page. Closing it removes its fragment from the address. */
export default function LegalDialog({ document: name }: LegalDialogProps) {
  const t = useT();
  const language = useLanguage();
  const { alert } = useToast();
  const location = useShownLocation();
  const { search, key } = location;
  const navigate = useNavigate();
  const closedKey = useRef<string>(undefined);
  const opensSettings = useRef(false);
  const [shown, setShown] = useState({ address: '', html: '', date: '' });
  const [awaited, setAwaited] = useState('');
  const address = getAddress(name, language);

  function close() {
    // Going back takes a moment, in which the button may be pressed again.
    if (closedKey.current === key) return;
    closedKey.current = key;
    if (location.state === OPENED_HERE) void navigate(-1);
    else void navigate({ search }, { replace: true });
  }
  const giveUp = useEffectEvent(() => {
    alert(t('failure.unreachable'));
    close();
  });

  useEffect(() => {
    let isCurrent = true;
    // A live region must exist before its text.
    const timer = setTimeout(() => setAwaited(address), ANNOUNCEMENT_DELAY_MS);
    fetchDocument(address).then(
      (document) => isCurrent && setShown({ address, ...document }),
      () => isCurrent && giveUp(),
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [address]);

  useEffect(
    () => () => {
      // The dialog has returned the focus to its opener, which gets it again from the banner.
      const opener = document.activeElement ?? document.body;
      if (opensSettings.current) requestPrivacySettings(opener);
    },
    [],
  );

  function press({ target }: MouseEvent) {
    opensSettings.current = (target as Element).closest('[data-privacy-settings]') !== null;
    if (opensSettings.current) close();
  }

  const isShown = shown.address === address;
  const getCurrent = (document: string) => (document === name ? 'page' : undefined);

  return (
    <Dialog onClose={close} title={t(name === 'privacy' ? 'legal.privacyTitle' : 'legal.termsTitle')}>
      <div className={styles.header}>
        <nav className={styles.documents} aria-label={t('legal.documents')}>
          <LegalLink document="privacy" replace aria-current={getCurrent('privacy')}>
            {t('legalLinks.privacy')}
          </LegalLink>
          <LegalLink document="terms" replace aria-current={getCurrent('terms')}>
            {t('legalLinks.terms')}
          </LegalLink>
        </nav>
        <p className={clsx('muted', styles.date)}>{shown.date}</p>
      </div>
      <p role="status" className={clsx('muted', styles.loading)}>
        {!isShown && <Spinner />}
        {!isShown && awaited === address && <FormattedMessage id="legal.loading" />}
      </p>
      {isShown && (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- of the button inside
        <div className={styles.document} onClick={press} dangerouslySetInnerHTML={{ __html: shown.html }} />
      )}
    </Dialog>
  );
}

/** Return the address of a document; it names the language only where the cookie does not. */
function getAddress(name: string, language: Language): string {
  const isKnown = language === (readStoredLanguage() ?? DEFAULT_LANGUAGE);
  return `/legal/${name}/${isKnown ? '' : `?lang=${language}`}`;
}

/** @throws when the server does not answer with the document */
async function fetchDocument(address: string) {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
  const document = page.querySelector('[data-document]');
  if (!document) throw new Error(`${address} has no document`);
  for (const button of document.querySelectorAll<HTMLElement>('[hidden]')) button.hidden = false;
  const date = document.querySelector('p');
  date?.remove();
  return { html: document.innerHTML, date: date?.textContent ?? '' };
}
