import { ArrowRight } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import boatCatamaran1 from '@media/boat-catamaran-1.avif?picture';
import courseNavigation from '@media/course-navigation.avif?picture';
import courseRacing from '@media/course-racing.avif?picture';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import { PictureFrame } from '../../ui/PictureFrame';
import { Section } from '../../ui/Section';
import * as styles from './Features.module.css';

const FEATURES = [
  {
    to: '/signup',
    picture: courseRacing,
    alt: 'landingBelow.racingPicture',
    title: 'landingBelow.crew',
    text: 'landingBelow.crewText',
    link: 'landingBelow.crewLink',
  },
  {
    to: '/marketplace',
    picture: boatCatamaran1,
    alt: 'landingBelow.catamaranPicture',
    title: 'landingBelow.boats',
    text: 'landingBelow.boatsText',
    link: 'landingBelow.boatsLink',
  },
  {
    to: '/academy',
    picture: courseNavigation,
    alt: 'landingBelow.navigationPicture',
    title: 'landingBelow.academy',
    text: 'landingBelow.academyText',
    link: 'landingBelow.academyLink',
  },
] as const;

/** Render three features with links to sign-up, marketplace and academy. */
export function Features() {
  const { formatMessage } = useIntl();
  return (
    <Section
      tone="foam"
      eyebrow={<FormattedMessage id="landingBelow.featuresEyebrow" />}
      title={<FormattedMessage id="landingBelow.featuresTitle" />}
    >
      <ul className={styles.grid}>
        {FEATURES.map(({ to, picture, alt, title, text, link }) => (
          <Card element="li" lifts key={to} className={styles.feature}>
            <PictureFrame
              files={picture}
              alt={formatMessage({ id: alt })}
              sizes="(width >= 1024px) min(31vw, 28rem), (width >= 600px) 45vw, 92vw"
              className={styles.frame}
              pictureClassName={styles.picture}
            />
            <div className={styles.content}>
              <h3 className={styles.title}>
                <FormattedMessage id={title} />
              </h3>
              <p className={styles.text}>
                <FormattedMessage id={text} />
              </p>
              <Link to={to} className={styles.link}>
                <FormattedMessage id={link} />
                <Icon icon={ArrowRight} size={20} />
              </Link>
            </div>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
