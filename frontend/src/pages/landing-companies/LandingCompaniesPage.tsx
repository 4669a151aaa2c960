import { clsx } from 'clsx';
import { BadgeCheck, Check, Globe, SlidersHorizontal, Target } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import boatCrew from '@media/boat-crew.avif?picture';
import boatMotoryacht1 from '@media/boat-motoryacht-1.avif?picture';
import cargoShip from '@media/cargo-ship.avif?picture';
import courseDocking from '@media/course-docking.avif?picture';
import heroCompaniesPortrait from '@media/hero-companies-portrait.avif?picture';
import heroCompanies from '@media/hero-companies.avif?picture';
import { useLaunch } from '../../lib/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { Hero } from '../../ui/Hero';
import { Icon } from '../../ui/Icon';
import { type IconCard, IconCards } from '../../ui/IconCards';
import { JumpLink } from '../../ui/JumpLink';
import { PictureFrame } from '../../ui/PictureFrame';
import { CallToAction, Section } from '../../ui/Section';
import * as styles from './LandingCompaniesPage.module.css';

export { LandingLayout as Layout } from '../../shell/LandingLayout';

const BENEFITS: readonly IconCard[] = [
  { icon: Target, title: 'landingCompaniesBelow.audience', text: 'landingCompaniesBelow.audienceText' },
  { icon: BadgeCheck, title: 'landingCompaniesBelow.community', text: 'landingCompaniesBelow.communityText' },
  { icon: Globe, title: 'landingCompaniesBelow.visibility', text: 'landingCompaniesBelow.visibilityText' },
  {
    icon: SlidersHorizontal,
    title: 'landingCompaniesBelow.advertising',
    text: 'landingCompaniesBelow.advertisingText',
  },
];

/** Render `/landing-companies` (spec section 2, Landing for companies). */
export default function LandingCompaniesPage() {
  const t = useT();
  const launch = useLaunch();
  return (
    <>
      <Hero
        picture={heroCompanies}
        portrait={heroCompaniesPortrait}
        alt={t('landingCompanies.picture')}
        light="dusk"
        badge={t('landingCompanies.badge')}
        title={t('landingCompanies.title')}
        lead={t('landingCompanies.lead')}
        actions={
          <JumpLink target="business" data-track="get_started">
            {t('landingCompanies.getStarted')}
          </JumpLink>
        }
      />
      <Offerings />
      <Section
        tone="foam"
        layout="beside"
        eyebrow={t('landingCompaniesBelow.benefitsEyebrow')}
        title={t('landingCompaniesBelow.benefitsTitle')}
        lead={t('landingCompaniesBelow.benefitsLead')}
      >
        <IconCards cards={BENEFITS} layout="cells" />
      </Section>
      <CallToAction
        title={t('landingCompaniesBelow.advertiseTitle')}
        lead={t('landingCompaniesBelow.advertiseText', { launch })}
      >
        <ButtonLink to="/newsletter?source=landing-companies" data-track="start_advertising">
          {t('landingCompaniesBelow.startAdvertising')}
        </ButtonLink>
      </CallToAction>
    </>
  );
}

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

function Offerings() {
  const t = useT();
  return (
    <Section
      id="business"
      tone="white"
      eyebrow={t('landingCompaniesBelow.offeringsEyebrow')}
      title={t('landingCompaniesBelow.offeringsTitle')}
      lead={t('landingCompaniesBelow.offeringsLead')}
    >
      <ol className={styles.rows}>
        {OFFERINGS.map(({ picture, alt, title, text, points }) => (
          <li key={title} className={styles.row}>
            <PictureFrame
              files={picture}
              alt={t(alt)}
              sizes="(width >= 768px) min(50vw, 44rem), 92vw"
              className={styles.frame}
            />
            <div className={styles.content}>
              <h3 className={clsx('heading', styles.title)}>{t(title)}</h3>
              <p className={styles.text}>{t(text)}</p>
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
