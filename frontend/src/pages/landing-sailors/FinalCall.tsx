import { FormattedMessage } from 'react-intl';

import { track } from '../../analytics/track';
import { useSiteConfig } from '../../config/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

/** The last words of the page, and where they lead (spec section 2, Landing for sailors). */
export function FinalCall() {
  const { launchYear } = useSiteConfig();
  return (
    <CallToAction
      eyebrow={<FormattedMessage id="landingSailorsBelow.callEyebrow" />}
      title={<FormattedMessage id="landingSailorsBelow.callTitle" />}
      lead={<FormattedMessage id="landingSailorsBelow.callText" values={{ launchYear }} />}
    >
      <ButtonLink
        to="/newsletter?source=landing-sailors"
        onClick={() =>
          track('button_click', { button: 'create_your_free_profile', location: 'landing-sailors' })
        }
      >
        <FormattedMessage id="landingSailorsBelow.create" />
      </ButtonLink>
      <ButtonLink
        to="/"
        variant="secondary"
        onClick={() => track('button_click', { button: 'back_to_home', location: 'landing-sailors' })}
      >
        <FormattedMessage id="landingSailorsBelow.backHome" />
      </ButtonLink>
    </CallToAction>
  );
}
