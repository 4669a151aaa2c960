import { BadgeCheck, Compass, Newspaper, NotebookPen } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { Card } from '../../ui/Card';
import { IconDisc } from '../../ui/IconDisc';
import { Section } from '../../ui/Section';
import * as styles from './Services.module.css';

const SERVICES = [
  { icon: BadgeCheck, title: 'landingBelow.network', text: 'landingBelow.networkText' },
  { icon: NotebookPen, title: 'landingBelow.logbook', text: 'landingBelow.logbookText' },
  { icon: Compass, title: 'landingBelow.discovery', text: 'landingBelow.discoveryText' },
  { icon: Newspaper, title: 'landingBelow.news', text: 'landingBelow.newsText' },
] as const;

/** What the community does for a sailor: where the hero's second button leads. */
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
      <ul className={styles.grid}>
        {SERVICES.map(({ icon, title, text }) => (
          <Card as="li" key={title} className={styles.service}>
            <IconDisc of={icon} />
            <h3 className={styles.title}>
              <FormattedMessage id={title} />
            </h3>
            <p className={styles.text}>
              <FormattedMessage id={text} />
            </p>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
