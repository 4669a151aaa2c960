import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { PrivacyButton } from '../consent/consent';
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
  const t = useT();
  return (
    <footer className={clsx('muted', styles.footer)} data-surface="dark">
      <div className={styles.brand}>
        <Logo />
        <p>{t('footer.tagline')}</p>
      </div>
      <div className={styles.columns}>
        <Column title={t('footer.explore')} items={OPEN_SCREENS} />
        <Column title={t('footer.company')} items={COMPANY}>
          <li>
            {/* Django's page. */}
            <a href="/newsletter/issues/">{t('footer.archive')}</a>
          </li>
        </Column>
        <Column title={t('footer.legal')} items={CONTACT}>
          <li>
            <LegalLink document="privacy">{t('legalLinks.privacy')}</LegalLink>
          </li>
          <li>
            <LegalLink document="terms">{t('legalLinks.terms')}</LegalLink>
          </li>
        </Column>
      </div>
      <div className={styles.end}>
        <p>{t('footer.copyright')}</p>
        <PrivacyButton />
        <LanguageSwitch />
      </div>
    </footer>
  );
}

interface ColumnProps {
  title: string;
  items: readonly MenuItem[];
  /** More list items. */
  children?: ReactNode;
}

function Column({ title, items, children }: ColumnProps) {
  return (
    <nav aria-label={title}>
      <p className={clsx('eyebrow', styles.title)} aria-hidden="true">
        {title}
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
