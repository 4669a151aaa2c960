import { FormattedMessage } from 'react-intl';

import { PrivacyButton } from '../analytics/PrivacyButton';
import { useSiteConfig } from '../config/SiteConfig';
import { LegalLink } from '../legal/LegalLink';
import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import * as styles from './Footer.module.css';
import { LanguageSwitch } from './LanguageSwitch';

export function Footer() {
  const { launchYear } = useSiteConfig();
  return (
    <footer className={styles.footer}>
      <div className={styles.brand}>
        <Logo />
        <p>
          <FormattedMessage id="footer.tagline" />
        </p>
      </div>
      <div className={styles.links}>
        <Link to="/newsletter">
          <FormattedMessage id="navigation.newsletter" />
        </Link>
        <LegalLink document="privacy">
          <FormattedMessage id="legalLinks.privacy" />
        </LegalLink>
        <LegalLink document="terms">
          <FormattedMessage id="legalLinks.terms" />
        </LegalLink>
        <PrivacyButton />
        <LanguageSwitch />
        <p>
          <FormattedMessage id="footer.copyright" values={{ launchYear }} />
        </p>
      </div>
    </footer>
  );
}
