import { FormattedMessage, useIntl } from 'react-intl';
import heroCompanies from '@media/hero-companies.avif?picture';
import heroCompaniesPortrait from '@media/hero-companies-portrait.avif?picture';
import { BadgeCheck, Globe, SlidersHorizontal, Target } from 'lucide';

import { useLaunch } from '../../config/useLaunch';
import { trackButton } from '../../consent/track';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/Button';
import { Hero } from '../../ui/Hero';
import { type IconCard, IconCards } from '../../ui/IconCards';
import { JumpLink } from '../../ui/JumpLink';
import { CallToAction, Section } from '../../ui/Section';
import { Offerings } from './Offerings';

export { LandingLayout as Layout } from '../../layouts/LandingLayout';

/** Render `/landing-companies` (spec section 2, Landing for companies). */
export default function LandingCompaniesPage() {
  const { formatMessage } = useIntl();
  const launch = useLaunch();
  return (
    <>
      <Hero
        picture={heroCompanies}
        portrait={heroCompaniesPortrait}
        alt={formatMessage({ id: 'landingCompanies.picture' })}
        light="dusk"
        above={
          <Badge>
            <FormattedMessage id="landingCompanies.badge" />
          </Badge>
        }
        title={<FormattedMessage id="landingCompanies.title" />}
        lead={<FormattedMessage id="landingCompanies.lead" />}
        actions={
          <JumpLink target="business" onClick={() => trackButton('get_started', 'landing-companies')}>
            <FormattedMessage id="landingCompanies.getStarted" />
          </JumpLink>
        }
      />
      <Offerings />
      <Benefits />
      <CallToAction
        title={<FormattedMessage id="landingCompaniesBelow.advertiseTitle" />}
        lead={<FormattedMessage id="landingCompaniesBelow.advertiseText" values={{ launch }} />}
      >
        <ButtonLink
          to="/newsletter?source=landing-companies"
          onClick={() => trackButton('start_advertising', 'landing-companies')}
        >
          <FormattedMessage id="landingCompaniesBelow.startAdvertising" />
        </ButtonLink>
      </CallToAction>
    </>
  );
}

const BENEFITS: readonly IconCard[] = [
  {
    icon: Target,
    title: 'landingCompaniesBelow.audience',
    text: 'landingCompaniesBelow.audienceText',
  },
  {
    icon: BadgeCheck,
    title: 'landingCompaniesBelow.community',
    text: 'landingCompaniesBelow.communityText',
  },
  {
    icon: Globe,
    title: 'landingCompaniesBelow.visibility',
    text: 'landingCompaniesBelow.visibilityText',
  },
  {
    icon: SlidersHorizontal,
    title: 'landingCompaniesBelow.advertising',
    text: 'landingCompaniesBelow.advertisingText',
  },
];

function Benefits() {
  return (
    <Section
      tone="foam"
      layout="beside"
      eyebrow={<FormattedMessage id="landingCompaniesBelow.benefitsEyebrow" />}
      title={<FormattedMessage id="landingCompaniesBelow.benefitsTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.benefitsLead" />}
    >
      <IconCards cards={BENEFITS} layout="cells" />
    </Section>
  );
}
