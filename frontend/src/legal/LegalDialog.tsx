import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useLocation, useNavigate } from 'react-router-dom';

import { requestPrivacySettings } from '../consent/consent';
import { Dialog } from '../ui/Dialog';
import * as styles from './LegalDialog.module.css';
import { LegalLink, OPENED_HERE } from './LegalLink';
import { PrivacyNotice } from './PrivacyNotice';
import { Terms } from './Terms';

/** The day on which the meaning of a document last changed, in any language. */
const LAST_CHANGED = { privacy: '2026-11-28', terms: '2026-11-23' };

export interface LegalDialogProps {
  document: 'privacy' | 'terms';
}

/** A legal document over the page. Closing it removes its fragment from the address. */
export default function LegalDialog({ document: name }: LegalDialogProps) {
  const { formatDate, formatMessage } = useIntl();
  const location = useLocation();
  const { search, key } = location;
  const navigate = useNavigate();
  const closedKey = useRef<string>(undefined);
  const opensSettings = useRef(false);

  function close() {
    // Going back takes a moment, in which the button may be pressed again.
    if (closedKey.current === key) return;
    closedKey.current = key;
    if (location.state === OPENED_HERE) void navigate(-1);
    else void navigate({ search }, { replace: true });
  }

  function openPrivacySettings() {
    opensSettings.current = true;
    close();
  }

  useEffect(
    () => () => {
      // The dialog has returned the focus to its opener, which gets it again from the banner.
      const opener = document.activeElement ?? document.body;
      if (opensSettings.current) requestPrivacySettings(opener);
    },
    [],
  );

  const getCurrent = (document: string) => (document === name ? 'page' : undefined);

  return (
    <Dialog
      onClose={close}
      title={<FormattedMessage id={name === 'privacy' ? 'legal.privacyTitle' : 'legal.termsTitle'} />}
    >
      <div className={styles.document}>
        <div className={styles.header}>
          <nav className={styles.documents} aria-label={formatMessage({ id: 'legal.documents' })}>
            <LegalLink document="privacy" replace aria-current={getCurrent('privacy')}>
              <FormattedMessage id="legalLinks.privacy" />
            </LegalLink>
            <LegalLink document="terms" replace aria-current={getCurrent('terms')}>
              <FormattedMessage id="legalLinks.terms" />
            </LegalLink>
          </nav>
          <p className={clsx('muted', styles.date)}>
            <FormattedMessage
              id="legal.lastChanged"
              values={{ date: formatDate(LAST_CHANGED[name], { dateStyle: 'long', timeZone: 'UTC' }) }}
            />
          </p>
        </div>
        {name === 'privacy' ? <PrivacyNotice onPrivacySettings={openPrivacySettings} /> : <Terms />}
      </div>
    </Dialog>
  );
}
