import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../analytics/track';
import { useSiteConfig } from '../../config/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

export function AdvertiseCallToAction() {
  const { launchYear } = useSiteConfig();
  return (
    <CallToAction
      layout="beside"
      title={<FormattedMessage id="landingCompaniesBelow.advertiseTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.advertiseText" values={{ launchYear }} />}
    >
      <ButtonLink
        to="/newsletter?source=landing-companies"
        onClick={() => trackButton('start_advertising', 'landing-companies')}
      >
        <FormattedMessage id="landingCompaniesBelow.startAdvertising" />
      </ButtonLink>
    </CallToAction>
  );
}
