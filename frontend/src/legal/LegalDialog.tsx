import { clsx } from 'clsx';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

import { requestPrivacySettings } from '../consent/consent';
import { DEFAULT_LANGUAGE, readStoredLanguage } from '../i18n/languages';
import { useLanguage, useT } from '../i18n/LanguageProvider';
import { useToast } from '../ui/ToastProvider';
import { Dialog } from '../ui/Dialog';
import { Spinner } from '../ui/Icon';
import * as styles from './LegalDialog.module.css';
import { LegalLink, type LegalName, OPENED_HERE } from './LegalLink';

/** A document that comes at once is not announced. */
const ANNOUNCEMENT_DELAY_MS = 200;
const TIMEOUT_MS = 15_000;

/** A legal document of the server over the page. Closing it removes its fragment from the address. */
export default function LegalDialog({ document: name }: { document: LegalName }) {
  const t = useT();
  const language = useLanguage();
  const { alert } = useToast();
  const location = useLocation();
  const { search, key } = location;
  const navigate = useNavigate();
  const closedKey = useRef<string>(undefined);
  const opensSettings = useRef(false);
  const [shown, setShown] = useState({ address: '', html: '', date: '' });
  /** The document that takes longer than most. */
  const [awaited, setAwaited] = useState('');
  // It names the language only where the cookie does not.
  const isKnown = language === (readStoredLanguage() ?? DEFAULT_LANGUAGE);
  const address = `/legal/${name}/${isKnown ? '' : `?lang=${language}`}`;

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
    const timer = setTimeout(() => setAwaited(address), ANNOUNCEMENT_DELAY_MS);
    void fetchDocument(address)
      .then(
        (document) => isCurrent && setShown({ address, ...document }),
        () => isCurrent && giveUp(),
      )
      .finally(() => clearTimeout(timer));
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [address]);

  useEffect(
    () => () => {
      // The dialog has returned the focus to its opener, which gets it again from the banner.
      if (opensSettings.current) requestPrivacySettings(document.activeElement ?? document.body);
    },
    [],
  );

  function press({ target }: MouseEvent) {
    opensSettings.current = (target as Element).closest('[data-privacy-settings]') !== null;
    if (opensSettings.current) close();
  }

  const isShown = shown.address === address;
  return (
    <Dialog onClose={close} title={t(name === 'privacy' ? 'legal.privacyTitle' : 'legal.termsTitle')}>
      <div className={styles.header}>
        <nav className={styles.documents} aria-label={t('legal.documents')}>
          {(['privacy', 'terms'] as const).map((document) => (
            <LegalLink
              key={document}
              document={document}
              aria-current={document === name ? 'page' : undefined}
            >
              {t(`legalLinks.${document}`)}
            </LegalLink>
          ))}
        </nav>
        <p className={clsx('muted', styles.date)}>{shown.date}</p>
      </div>
      {/* A live region must exist before its text. */}
      <div role="status">
        {!isShown && (
          <p className="icon-text muted">
            <Spinner />
            {awaited === address && <span>{t('legal.loading')}</span>}
          </p>
        )}
      </div>
      {isShown && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- of the button inside
        <div className={styles.document} onClick={press} dangerouslySetInnerHTML={{ __html: shown.html }} />
      )}
    </Dialog>
  );
}

/** @throws when the server does not answer with the document */
async function fetchDocument(address: string) {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const document = page.querySelector('[data-document]');
  if (!document) throw new Error(`${address} has no document`);
  for (const button of document.querySelectorAll<HTMLElement>('[hidden]')) button.hidden = false;
  const date = document.querySelector('p');
  date?.remove();
  return { html: document.innerHTML, date: date?.textContent ?? '' };
}
