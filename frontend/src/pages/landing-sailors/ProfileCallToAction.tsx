import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../analytics/track';
import { useSiteConfig } from '../../config/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

export function ProfileCallToAction() {
  const { launchYear } = useSiteConfig();
  return (
    <CallToAction
      eyebrow={<FormattedMessage id="landingSailorsBelow.callEyebrow" />}
      title={<FormattedMessage id="landingSailorsBelow.callTitle" />}
      lead={<FormattedMessage id="landingSailorsBelow.callText" values={{ launchYear }} />}
    >
      <ButtonLink
        to="/newsletter?source=landing-sailors"
        onClick={() => trackButton('create_your_free_profile', 'landing-sailors')}
      >
        <FormattedMessage id="landingSailorsBelow.create" />
      </ButtonLink>
      <ButtonLink to="/" variant="secondary" onClick={() => trackButton('back_to_home', 'landing-sailors')}>
        <FormattedMessage id="landingSailorsBelow.backHome" />
      </ButtonLink>
    </CallToAction>
  );
}
