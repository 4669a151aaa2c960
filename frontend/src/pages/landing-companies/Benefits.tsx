import { BadgeCheck, Globe, SlidersHorizontal, Target } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { type IconCard, IconCards } from '../../ui/IconCards';
import { Section } from '../../ui/Section';

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

export function Benefits() {
  return (
    <Section
      tone="foam"
      layout="beside"
      eyebrow={<FormattedMessage id="landingCompaniesBelow.benefitsEyebrow" />}
      title={<FormattedMessage id="landingCompaniesBelow.benefitsTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.benefitsLead" />}
    >
      <IconCards of={BENEFITS} as="cells" />
    </Section>
  );
}
