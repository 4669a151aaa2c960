import { FormattedMessage } from 'react-intl';

import { Avatar } from '../../ui/Avatar';
import { Card } from '../../ui/Card';
import { Section } from '../../ui/Section';
import { TESTIMONIALS } from './testimonials';
import * as styles from './Testimonials.module.css';

export function Testimonials() {
  return (
    <Section
      tone="foam"
      eyebrow={<FormattedMessage id="landingBelow.testimonialsEyebrow" />}
      title={<FormattedMessage id="landingBelow.testimonialsTitle" />}
    >
      <ul className={styles.grid}>
        {TESTIMONIALS.map(({ name, handle, role, nationality, text }) => (
          <Card as="li" key={handle}>
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
                    {name} <span className={styles.handle}>{handle}</span>
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
