import { Globe, Handshake, LifeBuoy } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { Card } from '../../ui/Card';
import { IconDisc } from '../../ui/IconDisc';
import { Section } from '../../ui/Section';
import * as styles from './Values.module.css';

const VALUES = [
  { icon: Handshake, title: 'landingBelow.trust', text: 'landingBelow.trustText' },
  { icon: LifeBuoy, title: 'landingBelow.seamanship', text: 'landingBelow.seamanshipText' },
  { icon: Globe, title: 'landingBelow.openness', text: 'landingBelow.opennessText' },
] as const;

/** What the community stands for. */
export function Values() {
  return (
    <Section
      tone="white"
      layout="beside"
      eyebrow={<FormattedMessage id="landingBelow.valuesEyebrow" />}
      title={<FormattedMessage id="landingBelow.valuesTitle" />}
      lead={<FormattedMessage id="landingBelow.valuesLead" />}
    >
      <ul className={styles.list}>
        {VALUES.map(({ icon, title, text }) => (
          <Card as="li" key={title} className={styles.value}>
            <IconDisc of={icon} />
            <div>
              <h3 className={styles.title}>
                <FormattedMessage id={title} />
              </h3>
              <p className={styles.text}>
                <FormattedMessage id={text} />
              </p>
            </div>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
