import { BadgeCheck, Compass, Newspaper, NotebookPen } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { type IconCard, IconCards } from '../../ui/IconCards';
import { Section } from '../../ui/Section';

const SERVICES: readonly IconCard[] = [
  { icon: BadgeCheck, title: 'landingBelow.network', text: 'landingBelow.networkText' },
  { icon: NotebookPen, title: 'landingBelow.logbook', text: 'landingBelow.logbookText' },
  { icon: Compass, title: 'landingBelow.discovery', text: 'landingBelow.discoveryText' },
  { icon: Newspaper, title: 'landingBelow.news', text: 'landingBelow.newsText' },
];

/** Render the services; the second button of the hero scrolls here. */
export function Services() {
  return (
    <Section
      id="services"
      tone="white"
      layout="spread"
      eyebrow={<FormattedMessage id="landingBelow.servicesEyebrow" />}
      title={<FormattedMessage id="landingBelow.servicesTitle" />}
      lead={<FormattedMessage id="landingBelow.servicesLead" />}
    >
      <IconCards of={SERVICES} as="columns" />
    </Section>
  );
}
