import { Globe, Handshake, LifeBuoy } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { type IconCard, IconCards } from '../../ui/IconCards';
import { Section } from '../../ui/Section';

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
      <IconCards of={VALUES} as="rows" />
    </Section>
  );
}
