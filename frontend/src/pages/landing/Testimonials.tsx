import { FormattedMessage } from 'react-intl';

import { Avatar } from '../../ui/Avatar';
import { Card } from '../../ui/Card';
import { Section } from '../../ui/Section';
import * as styles from './Testimonials.module.css';

/**
 * What sailors say about us (spec section 3, Landing testimonial): sample data with invented people. Names and handles are
 * the same in every language.
 */
const TESTIMONIALS = [
  {
    name: 'Marina Kovač',
    handle: '@marinakovac',
    role: 'landingBelow.skipper',
    nationality: 'landingBelow.croatian',
    text: 'landingBelow.skipperText',
  },
  {
    name: 'Tomáš Říha',
    handle: '@riha.bow',
    role: 'landingBelow.bowman',
    nationality: 'landingBelow.czech',
    text: 'landingBelow.bowmanText',
  },
  {
    name: 'Ingrid Solheim',
    handle: '@ingridsolheim',
    role: 'landingBelow.owner',
    nationality: 'landingBelow.norwegian',
    text: 'landingBelow.ownerText',
  },
] as const;

export function Testimonials() {
  return (
    <Section
      tone="foam"
      eyebrow={<FormattedMessage id="landingBelow.testimonialsEyebrow" />}
      title={<FormattedMessage id="landingBelow.testimonialsTitle" />}
    >
      <ul className={styles.grid}>
        {TESTIMONIALS.map(({ name, handle, role, nationality, text }) => (
          <Card element="li" key={handle}>
            <figure className={styles.testimonial}>
              <blockquote className={styles.text}>
                <p>
                  <FormattedMessage id={text} />
                </p>
              </blockquote>
              <figcaption className={styles.person}>
                <Avatar name={name} />
                <div>
                  <p className={styles.name}>
                    <span>{name}</span> <span className={styles.handle}>{handle}</span>
                  </p>
                  <p className={styles.about}>
                    <span>
                      <FormattedMessage id={role} />
                    </span>
                    <span>
                      <FormattedMessage id={nationality} />
                    </span>
                  </p>
                </div>
              </figcaption>
            </figure>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
