import { Check } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import boatCrew from '@media/boat-crew.avif?picture';
import boatMotoryacht1 from '@media/boat-motoryacht-1.avif?picture';
import cargoShip from '@media/cargo-ship.avif?picture';
import courseDocking from '@media/course-docking.avif?picture';
import { Icon } from '../../ui/Icon';
import { PictureFrame } from '../../ui/PictureFrame';
import { Section } from '../../ui/Section';
import * as styles from './Offerings.module.css';

const OFFERINGS = [
  {
    picture: boatCrew,
    alt: 'landingCompaniesBelow.tripsPicture',
    title: 'landingCompaniesBelow.trips',
    text: 'landingCompaniesBelow.tripsText',
    points: ['landingCompaniesBelow.tripsFirst', 'landingCompaniesBelow.tripsSecond'],
  },
  {
    picture: boatMotoryacht1,
    alt: 'landingCompaniesBelow.boatsPicture',
    title: 'landingCompaniesBelow.boats',
    text: 'landingCompaniesBelow.boatsText',
    points: ['landingCompaniesBelow.boatsFirst', 'landingCompaniesBelow.boatsSecond'],
  },
  {
    picture: courseDocking,
    alt: 'landingCompaniesBelow.gearPicture',
    title: 'landingCompaniesBelow.gear',
    text: 'landingCompaniesBelow.gearText',
    points: ['landingCompaniesBelow.gearFirst', 'landingCompaniesBelow.gearSecond'],
  },
  {
    picture: cargoShip,
    alt: 'landingCompaniesBelow.crewPicture',
    title: 'landingCompaniesBelow.crew',
    text: 'landingCompaniesBelow.crewText',
    points: ['landingCompaniesBelow.crewFirst', 'landingCompaniesBelow.crewSecond'],
  },
] as const;

/** Render what companies can offer; the button of the hero scrolls here. */
export function Offerings() {
  const { formatMessage } = useIntl();
  return (
    <Section
      id="business"
      tone="white"
      layout="spread"
      className={styles.offerings}
      eyebrow={<FormattedMessage id="landingCompaniesBelow.offeringsEyebrow" />}
      title={<FormattedMessage id="landingCompaniesBelow.offeringsTitle" />}
      lead={<FormattedMessage id="landingCompaniesBelow.offeringsLead" />}
    >
      <ol className={styles.rows}>
        {OFFERINGS.map(({ picture, alt, title, text, points }) => (
          <li key={title} className={styles.row}>
            <PictureFrame
              files={picture}
              alt={formatMessage({ id: alt })}
              sizes="(width >= 768px) min(50vw, 44rem), 92vw"
              className={styles.frame}
            />
            <div className={styles.content}>
              <h3 className={styles.title}>
                <FormattedMessage id={title} />
              </h3>
              <p className={styles.text}>
                <FormattedMessage id={text} />
              </p>
              <ul className={styles.points}>
                {points.map((point) => (
                  <li key={point}>
                    <Icon icon={Check} size={20} />
                    <FormattedMessage id={point} />
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
