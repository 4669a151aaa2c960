import { FormattedMessage } from 'react-intl';

import { useSiteConfig } from '../lib/SiteConfig';
import type { MessageId } from '../i18n/catalogues';
import * as styles from './LegalDialog.module.css';
import { OperatorCard, useLegalValues } from './useLegalValues';

/** What is stored, in the order of the notice. */
const STORED = [
  {
    title: 'legal.account',
    text: 'legal.accountText',
    why: 'legal.accountWhy',
    until: 'legal.accountUntil',
  },
  {
    title: 'legal.newsletter',
    text: 'legal.newsletterText',
    why: 'legal.newsletterWhy',
    until: 'legal.newsletterUntil',
  },
  {
    title: 'legal.consent',
    text: 'legal.consentText',
    why: 'legal.consentWhy',
    until: 'legal.consentUntil',
  },
  {
    title: 'legal.deliveries',
    text: 'legal.deliveriesText',
    why: 'legal.deliveriesWhy',
    until: 'legal.deliveriesUntil',
  },
  { title: 'legal.mails', text: 'legal.mailsText', why: 'legal.mailsWhy', until: 'legal.mailsUntil' },
  { title: 'legal.abuse', text: 'legal.abuseText', why: 'legal.abuseWhy', until: 'legal.abuseUntil' },
  {
    title: 'legal.suppression',
    text: 'legal.suppressionText',
    why: 'legal.suppressionWhy',
    until: 'legal.suppressionUntil',
  },
  { title: 'legal.team', text: 'legal.teamText', why: 'legal.teamWhy', until: 'legal.teamUntil' },
] as const;

const ANALYTICS = {
  title: 'legal.analytics',
  text: 'legal.analyticsText',
  why: 'legal.analyticsWhy',
  until: 'legal.analyticsUntil',
} as const;

const RIGHTS = ['legal.access', 'legal.rectify', 'legal.erase', 'legal.withdraw', 'legal.object'] as const;

interface PrivacyNoticeProps {
  /** Close the notice and open the choice about Google Analytics. */
  onPrivacySettings: () => void;
}

/** The information that articles 13 and 14 GDPR require, with the retention periods of the server. */
export function PrivacyNotice({ onPrivacySettings }: PrivacyNoticeProps) {
  const values = useLegalValues();
  const { gaMeasurementId, sentryDsn } = useSiteConfig();
  const isMeasured = gaMeasurementId !== '';
  const renderMessage = (id: MessageId) => <FormattedMessage id={id} values={values} />;

  const stored = [...STORED, ...(isMeasured ? [ANALYTICS] : [])];
  const browser = [
    { name: 'django_language', text: 'legal.languageCookie' },
    { name: 'sailing.token', text: 'legal.tokenStorage' },
    { name: 'sailing_device', text: 'legal.deviceCookie' },
    ...(isMeasured ? [{ name: 'analytics-consent', text: 'legal.consentStorage' } as const] : []),
    { name: 'scroll-positions, reloaded-for-chunks', text: 'legal.tabStorage' },
    { name: 'sessionid, csrftoken', text: 'legal.adminCookies' },
  ] as const;
  const recipients = [
    'legal.host',
    'legal.mailProvider',
    ...(sentryDsn ? (['legal.errorReports'] as const) : []),
    ...(isMeasured ? (['legal.google'] as const) : []),
    'legal.authorities',
    'legal.otherMembers',
  ] as const;

  return (
    <>
      <p className={styles.lead}>{renderMessage('legal.privacyLead')}</p>
      <section>
        <h3>{renderMessage('legal.controller')}</h3>
        <p>{renderMessage('legal.controllerText')}</p>
        <OperatorCard />
      </section>
      <section>
        <h3>{renderMessage('legal.stored')}</h3>
        <p>{renderMessage('legal.storedText')}</p>
        {stored.map(({ title, text, why, until }) => (
          <article key={title} className={styles.stored}>
            <h4>{renderMessage(title)}</h4>
            <p>{renderMessage(text)}</p>
            <dl>
              <div>
                <dt>{renderMessage('legal.why')}</dt>
                <dd>
                  {renderMessage(why)}
                  {title === 'legal.analytics' && (
                    <>
                      {' '}
                      <button type="button" className={styles.settings} onClick={onPrivacySettings}>
                        {renderMessage('footer.privacySettings')}
                      </button>
                    </>
                  )}
                </dd>
              </div>
              <div>
                <dt>{renderMessage('legal.until')}</dt>
                <dd>{renderMessage(until)}</dd>
              </div>
            </dl>
          </article>
        ))}
      </section>
      <section>
        <h3>{renderMessage('legal.browser')}</h3>
        <p>{renderMessage('legal.browserText')}</p>
        <dl className={styles.browser}>
          {browser.map(({ name, text }) => (
            <div key={name}>
              <dt lang="en">{name}</dt>
              <dd>{renderMessage(text)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>{renderMessage('legal.recipients')}</h3>
        <p>{renderMessage('legal.recipientsText')}</p>
        <ul>
          {recipients.map((id) => (
            <li key={id}>{renderMessage(id)}</li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{renderMessage('legal.rights')}</h3>
        <ul>
          {RIGHTS.map((id) => (
            <li key={id}>{renderMessage(id)}</li>
          ))}
        </ul>
        <p>{renderMessage('legal.ask')}</p>
      </section>
      <section>
        <h3>{renderMessage('legal.complaint')}</h3>
        <p>{renderMessage('legal.complaintText')}</p>
        <p>{renderMessage('legal.noticeChanges')}</p>
      </section>
    </>
  );
}
