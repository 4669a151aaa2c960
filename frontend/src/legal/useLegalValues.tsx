import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

import { COOKIE_LIFETIME_SECONDS } from '../consent/tag';
import { useSiteConfig } from '../lib/SiteConfig';
import { Text } from '../i18n/LanguageProvider';
import { Link } from '../ui/Link';
import * as styles from './LegalDialog.module.css';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Return what the messages of the legal documents name: periods, addresses and links. */
export function useLegalValues() {
  const { operator, periods, emailProvider } = useSiteConfig();
  const { formatMessage } = useIntl();

  function formatPeriod(seconds: number) {
    return seconds % DAY === 0
      ? formatMessage({ id: 'legal.days' }, { count: seconds / DAY })
      : formatMessage({ id: 'legal.hours' }, { count: seconds / HOUR });
  }

  const seconds = { ...periods, analyticsCookies: COOKIE_LIFETIME_SECONDS };
  return {
    ...Object.fromEntries(Object.entries(seconds).map(([name, period]) => [name, formatPeriod(period)])),
    provider: emailProvider,
    email: <a href={`mailto:${operator.email}`}>{operator.email}</a>,
    profile: (text: ReactNode[]) => (
      <Link to="/profile">
        <Text>{text}</Text>
      </Link>
    ),
    list: (text: ReactNode[]) => (
      <a href="https://www.edpb.europa.eu/about-edpb/about-edpb/members_en" rel="noreferrer">
        <Text>{text}</Text>
      </a>
    ),
    office: (text: ReactNode[]) => (
      <a href="https://uoou.gov.cz/" rel="noreferrer">
        <Text>{text}</Text>
      </a>
    ),
  };
}

/** Who runs the site. */
export function OperatorCard() {
  const { operator } = useSiteConfig();
  return (
    <address className={styles.operator}>
      <strong>{operator.name}</strong>
      <span>{operator.address}</span>
      <a href={`mailto:${operator.email}`}>{operator.email}</a>
    </address>
  );
}
