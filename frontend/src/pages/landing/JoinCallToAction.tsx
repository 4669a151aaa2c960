import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../consent/track';
import { useLaunch } from '../../config/useLaunch';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/CallToAction';

/** Invite visitors to join, and members to their dashboard. */
export function JoinCallToAction() {
  const launch = useLaunch();
  return (
    <CallToAction
      title={<FormattedMessage id="landingBelow.closingTitle" />}
      lead={<FormattedMessage id="landingBelow.closingText" values={{ launch }} />}
    >
      <ButtonLink to="/signup" className="for-visitors" onClick={() => trackButton('join', 'landing')}>
        <FormattedMessage id="landingBelow.join" />
      </ButtonLink>
      <ButtonLink
        to="/signin"
        variant="secondary"
        className="for-visitors"
        onClick={() => trackButton('sign_in', 'landing')}
      >
        <FormattedMessage id="landingBelow.signIn" />
      </ButtonLink>
      <DashboardLink />
    </CallToAction>
  );
}

/** The button of members in place of those that invite to join. */
export function DashboardLink() {
  return (
    <ButtonLink
      to="/dashboard"
      className="for-members"
      onClick={() => trackButton('open_dashboard', 'landing')}
    >
      <FormattedMessage id="landing.dashboard" />
    </ButtonLink>
  );
}
