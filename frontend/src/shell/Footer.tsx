import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { PrivacyButton } from '../consent/consent';
import { useSiteConfig } from '../lib/SiteConfig';
import type { MessageId } from '../i18n/catalogues';
import { LegalLink } from '../legal/LegalLink';
import { Logo } from '../ui/Logo';
import * as styles from './Footer.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { type MenuItem, MenuLink, OPEN_SCREENS } from './menus';

const COMPANY: readonly MenuItem[] = [
  { label: 'navigation.about', to: '/about' },
  { label: 'footer.forSailors', to: '/landing-sailors' },
  { label: 'footer.forCompanies', to: '/landing-companies' },
  { label: 'navigation.newsletter', to: '/newsletter' },
];

const CONTACT: readonly MenuItem[] = [{ label: 'navigation.contactUs', to: '/contact' }];

/** The footer of every page (spec section 2, Navigation bar and page shell). */
export function Footer() {
  const { launchYear } = useSiteConfig();
  return (
    <footer className={clsx('muted', styles.footer)} data-surface="dark">
      <div className={styles.brand}>
        <Logo />
        <p>
          <FormattedMessage id="footer.tagline" />
        </p>
      </div>
      <div className={styles.columns}>
        <Column title="footer.explore" items={OPEN_SCREENS} />
        <Column title="footer.company" items={COMPANY}>
          <li>
            {/* Django's page. */}
            <a href="/newsletter/issues/">
              <FormattedMessage id="footer.archive" />
            </a>
          </li>
        </Column>
        <Column title="footer.legal" items={CONTACT}>
          <li>
            <LegalLink document="privacy">
              <FormattedMessage id="legalLinks.privacy" />
            </LegalLink>
          </li>
          <li>
            <LegalLink document="terms">
              <FormattedMessage id="legalLinks.terms" />
            </LegalLink>
          </li>
        </Column>
      </div>
      <div className={styles.end}>
        <p>
          <FormattedMessage id="footer.copyright" values={{ launchYear }} />
        </p>
        <PrivacyButton />
        <LanguageSwitch />
      </div>
    </footer>
  );
}

interface ColumnProps {
  title: MessageId;
  items: readonly MenuItem[];
  /** More list items. */
  children?: ReactNode;
}

function Column({ title, items, children }: ColumnProps) {
  const { formatMessage } = useIntl();
  const name = formatMessage({ id: title });
  return (
    <nav aria-label={name}>
      <p className={clsx('eyebrow', styles.title)} aria-hidden="true">
        {name}
      </p>
      <ul>
        {items.map((item) => (
          <MenuLink key={item.to} item={item} />
        ))}
        {children}
      </ul>
    </nav>
  );
}
