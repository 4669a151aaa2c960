import { FormattedMessage, useIntl } from 'react-intl';
import heroLanding from '@media/hero-landing.avif?picture';
import heroLandingPortrait from '@media/hero-landing-portrait.avif?picture';
import { BadgeCheck, Compass, Globe, Handshake, LifeBuoy, Newspaper, NotebookPen } from 'lucide';

import { useLaunch } from '../../config/useLaunch';
import { trackButton } from '../../consent/track';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/Button';
import { Hero } from '../../ui/Hero';
import { type IconCard, IconCards } from '../../ui/IconCards';
import { JumpLink } from '../../ui/JumpLink';
import { CallToAction, Section } from '../../ui/Section';
import { Features } from './Features';
import { Mission } from './Mission';
import { Testimonials } from './Testimonials';

export { LandingLayout as Layout } from '../../layouts/LandingLayout';

/** Render `/landing` (spec section 2, Landing page). */
export default function LandingPage() {
  const { formatMessage } = useIntl();
  const launch = useLaunch();
  return (
    <>
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
    </>
  );
}

const SERVICES: readonly IconCard[] = [
  { icon: BadgeCheck, title: 'landingBelow.network', text: 'landingBelow.networkText' },
  { icon: NotebookPen, title: 'landingBelow.logbook', text: 'landingBelow.logbookText' },
  { icon: Compass, title: 'landingBelow.discovery', text: 'landingBelow.discoveryText' },
  { icon: Newspaper, title: 'landingBelow.news', text: 'landingBelow.newsText' },
];

/** Render the services; the second button of the hero scrolls here. */
function Services() {
  return (
    <Section
      id="services"
      tone="white"
      layout="spread"
      eyebrow={<FormattedMessage id="landingBelow.servicesEyebrow" />}
      title={<FormattedMessage id="landingBelow.servicesTitle" />}
      lead={<FormattedMessage id="landingBelow.servicesLead" />}
    >
      <IconCards cards={SERVICES} layout="columns" />
    </Section>
  );
}

const VALUES: readonly IconCard[] = [
  { icon: Handshake, title: 'landingBelow.trust', text: 'landingBelow.trustText' },
  { icon: LifeBuoy, title: 'landingBelow.seamanship', text: 'landingBelow.seamanshipText' },
  { icon: Globe, title: 'landingBelow.openness', text: 'landingBelow.opennessText' },
];

export function Values() {
  return (
    <Section
      tone="white"
      layout="beside"
      eyebrow={<FormattedMessage id="landingBelow.valuesEyebrow" />}
      title={<FormattedMessage id="landingBelow.valuesTitle" />}
      lead={<FormattedMessage id="landingBelow.valuesLead" />}
    >
      <IconCards cards={VALUES} layout="rows" />
    </Section>
  );
}

/** Invite visitors to join, and members to their dashboard. */
function JoinCallToAction() {
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
function DashboardLink() {
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
