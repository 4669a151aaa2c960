import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../analytics/track';
import { useAuth } from '../../session/AuthProvider';
import { useLaunch } from '../../shell/useLaunch';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

/** Invite visitors to join; members get no buttons. */
export function JoinCallToAction() {
  const { isAuthenticated } = useAuth();
  const launch = useLaunch();
  return (
    <CallToAction
      title={<FormattedMessage id="landingBelow.closingTitle" />}
      lead={<FormattedMessage id="landingBelow.closingText" values={{ launch }} />}
    >
      {!isAuthenticated && (
        <>
          <ButtonLink to="/signup" onClick={() => trackButton('join', 'landing')}>
            <FormattedMessage id="landingBelow.join" />
          </ButtonLink>
          <ButtonLink to="/signin" variant="secondary" onClick={() => trackButton('sign_in', 'landing')}>
            <FormattedMessage id="landingBelow.signIn" />
          </ButtonLink>
        </>
      )}
    </CallToAction>
  );
}
