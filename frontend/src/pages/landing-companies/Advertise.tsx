import { FormattedMessage } from 'react-intl';

import { track } from '../../analytics/track';
import { useSiteConfig } from '../../config/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { Section } from '../../ui/Section';
import * as styles from './Advertise.module.css';

/** The last call: a company leaves its address, and the newsletter learns where it came from. */
export function Advertise() {
  const { launchYear } = useSiteConfig();
  return (
    <Section
      tone="dark"
      layout="beside"
      className={styles.advertise}
      title={<FormattedMessage id="landingCompaniesBelow.advertiseTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.advertiseText" values={{ launchYear }} />}
    >
      <ButtonLink
        to="/newsletter?source=landing-companies"
        onClick={() => track('button_click', { button: 'start_advertising', location: 'landing-companies' })}
      >
        <FormattedMessage id="landingCompaniesBelow.startAdvertising" />
      </ButtonLink>
    </Section>
  );
}
