import { BadgeCheck, Globe, SlidersHorizontal, Target } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { IconDisc } from '../../ui/IconDisc';
import { Section } from '../../ui/Section';
import * as styles from './Benefits.module.css';

const BENEFITS = [
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
] as const;

/** Why a company advertises here, in four cells. */
export function Benefits() {
  return (
    <Section
      tone="foam"
      layout="beside"
      eyebrow={<FormattedMessage id="landingCompaniesBelow.benefitsEyebrow" />}
      title={<FormattedMessage id="landingCompaniesBelow.benefitsTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.benefitsLead" />}
    >
      <ul className={styles.cells}>
        {BENEFITS.map(({ icon, title, text }) => (
          <li key={title} className={styles.cell}>
            <IconDisc of={icon} />
            <h3 className={styles.title}>
              <FormattedMessage id={title} />
            </h3>
            <p className={styles.text}>
              <FormattedMessage id={text} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
