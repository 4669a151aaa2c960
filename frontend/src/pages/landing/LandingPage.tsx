import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import heroLanding from '@media/hero-landing.avif?picture';
import heroLandingPortrait from '@media/hero-landing-portrait.avif?picture';
import { AUDIENCE_MENU } from '../../menus/menus';
import { SitePage } from '../../layouts/SitePage';
import { useLaunch } from '../../config/useLaunch';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/Button';
import { Hero } from '../../ui/Hero';
import { JumpLink } from '../../ui/JumpLink';
import { DashboardLink, JoinCallToAction } from './JoinCallToAction';
import { Features } from './Features';
import { Mission } from './Mission';
import { Services } from './Services';
import { Testimonials } from './Testimonials';
import { Values } from './Values';

/** Render `/landing` (spec section 2, Landing page). */
export default function LandingPage() {
  const { formatMessage } = useIntl();
  const launch = useLaunch();
  return (
    <SitePage menu={AUDIENCE_MENU}>
      <Hero
        picture={heroLanding}
        portrait={heroLandingPortrait}
        alt={formatMessage({ id: 'landing.picture' })}
        light="dawn"
        above={
          <Badge>
            <FormattedMessage id="landing.badge" values={{ launch }} />
          </Badge>
        }
        title={<FormattedMessage id="landing.title" />}
        lead={<FormattedMessage id="landing.lead" />}
        actions={
          <>
            <ButtonLink
              to="/signup"
              className="for-visitors"
              onClick={() => trackButton('early_access', 'landing')}
            >
              <FormattedMessage id="landing.earlyAccess" />
            </ButtonLink>
            <DashboardLink />
            <JumpLink
              variant="secondary"
              target="services"
              onClick={() => trackButton('explore_features', 'landing')}
            >
              <FormattedMessage id="landing.explore" />
            </JumpLink>
          </>
        }
      />
      <Services />
      <Features />
      <Values />
      <Mission />
      <Testimonials />
      <JoinCallToAction />
    </SitePage>
  );
}
