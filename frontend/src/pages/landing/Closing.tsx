import { FormattedMessage } from 'react-intl';

import { track } from '../../analytics/track';
import { useAuth } from '../../session/AuthProvider';
import { useSiteConfig } from '../../config/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

/** The last call; who is signed in has followed it already and gets no buttons. */
export function Closing() {
  const { isAuthenticated } = useAuth();
  const { launchYear } = useSiteConfig();
  return (
    <CallToAction
      title={<FormattedMessage id="landingBelow.closingTitle" />}
      lead={<FormattedMessage id="landingBelow.closingText" values={{ launchYear }} />}
    >
      {!isAuthenticated && (
        <>
          <ButtonLink
            to="/signup"
            onClick={() => track('button_click', { button: 'join', location: 'landing' })}
          >
            <FormattedMessage id="landingBelow.join" />
          </ButtonLink>
          <ButtonLink
            to="/signin"
            variant="secondary"
            onClick={() => track('button_click', { button: 'sign_in', location: 'landing' })}
          >
            <FormattedMessage id="landingBelow.signIn" />
          </ButtonLink>
        </>
      )}
    </CallToAction>
  );
}
