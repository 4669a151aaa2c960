import { clsx } from 'clsx';
import { ArrowRight, BadgeCheck, Compass, Globe, Handshake, LifeBuoy, Newspaper, NotebookPen } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import boatCatamaran1 from '@media/boat-catamaran-1.avif?picture';
import courseRacing from '@media/course-racing.avif?picture';
import courseSafety from '@media/course-safety.avif?picture';
import heroLandingPortrait from '@media/hero-landing-portrait.avif?picture';
import heroLanding from '@media/hero-landing.avif?picture';
import oceanPosterPortrait from '@media/ocean-poster-portrait.avif?picture';
import oceanPoster from '@media/ocean-poster.avif?picture';
import { useLaunch } from '../../lib/SiteConfig';
import { Avatar } from '../../ui/Avatar';
import { ButtonLink } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Hero } from '../../ui/Hero';
import { Icon } from '../../ui/Icon';
import { type IconCard, IconCards } from '../../ui/IconCards';
import { JumpLink } from '../../ui/JumpLink';
import { Link } from '../../ui/Link';
import { MediaCard } from '../../ui/MediaCard';
import { Picture } from '../../ui/Picture';
import { CallToAction, Section } from '../../ui/Section';
import { TABLET_UP, useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './LandingPage.module.css';

export { LandingLayout as Layout } from '../../shell/LandingLayout';

const SERVICES: readonly IconCard[] = [
  { icon: BadgeCheck, title: 'landingBelow.network', text: 'landingBelow.networkText' },
  { icon: NotebookPen, title: 'landingBelow.logbook', text: 'landingBelow.logbookText' },
  { icon: Compass, title: 'landingBelow.discovery', text: 'landingBelow.discoveryText' },
  { icon: Newspaper, title: 'landingBelow.news', text: 'landingBelow.newsText' },
];

const VALUES: readonly IconCard[] = [
  { icon: Handshake, title: 'landingBelow.trust', text: 'landingBelow.trustText' },
  { icon: LifeBuoy, title: 'landingBelow.seamanship', text: 'landingBelow.seamanshipText' },
  { icon: Globe, title: 'landingBelow.openness', text: 'landingBelow.opennessText' },
];

/** Render `/landing` (spec section 2, Landing page). */
export default function LandingPage() {
  const t = useT();
  const launch = useLaunch();
  // For members, in place of the buttons that invite to join.
  const dashboard = (
    <ButtonLink to="/dashboard" className="for-members" data-track="open_dashboard">
      {t('landing.dashboard')}
    </ButtonLink>
  );
  return (
    <>
      <Hero
        picture={heroLanding}
        portrait={heroLandingPortrait}
        alt={t('landing.picture')}
        light="dawn"
        badge={t('landing.badge', { launch })}
        title={t('landing.title')}
        lead={t('landing.lead')}
        actions={
          <>
            <ButtonLink to="/signup" className="for-visitors" data-track="early_access">
              {t('landing.earlyAccess')}
            </ButtonLink>
            {dashboard}
            <JumpLink variant="secondary" target="services" data-track="explore_features">
              {t('landing.explore')}
            </JumpLink>
          </>
        }
      />
      <Section
        id="services"
        tone="white"
        eyebrow={t('landingBelow.servicesEyebrow')}
        title={t('landingBelow.servicesTitle')}
        lead={t('landingBelow.servicesLead')}
      >
        <IconCards cards={SERVICES} layout="columns" />
      </Section>
      <Features />
      <Section
        tone="white"
        layout="beside"
        eyebrow={t('landingBelow.valuesEyebrow')}
        title={t('landingBelow.valuesTitle')}
        lead={t('landingBelow.valuesLead')}
      >
        <IconCards cards={VALUES} layout="rows" />
      </Section>
      <Section
        tone="dark"
        className={styles.mission}
        scene={
          <div className={styles.scene}>
            <Picture
              files={oceanPoster}
              portrait={oceanPosterPortrait}
              alt=""
              sizes="(width >= 1024px) max(125vw, 80rem), max(100vw, 34rem)"
              className={styles.picture}
              lazy
            />
          </div>
        }
        eyebrow={t('landingBelow.missionEyebrow')}
        title={t('landingBelow.missionTitle')}
        lead={t('landingBelow.missionText', { launch })}
      />
      <Testimonials />
      <CallToAction title={t('landingBelow.closingTitle')} lead={t('landingBelow.closingText', { launch })}>
        <ButtonLink to="/signup" className="for-visitors" data-track="join">
          {t('navigation.joinTheCrew')}
        </ButtonLink>
        <ButtonLink to="/signin" variant="secondary" className="for-visitors" data-track="sign_in">
          {t('navigation.signIn')}
        </ButtonLink>
        {dashboard}
      </CallToAction>
    </>
  );
}

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
    picture: courseSafety,
    alt: 'landingBelow.safetyPicture',
    title: 'landingBelow.academy',
    text: 'landingBelow.academyText',
    link: 'landingBelow.academyLink',
  },
] as const;

function Features() {
  const t = useT();
  return (
    <Section tone="foam" eyebrow={t('landingBelow.featuresEyebrow')} title={t('landingBelow.featuresTitle')}>
      <ul className={clsx('stack', styles.grid)}>
        {FEATURES.map(({ to, picture, alt, title, text, link }) => (
          <MediaCard
            element="li"
            lifts
            key={to}
            className={styles.feature}
            picture={{ ...picture, alt: t(alt) }}
            sizes="(width >= 1024px) min(31vw, 28rem), (width >= 768px) 45vw, 92vw"
          >
            <h3 className="title">{t(title)}</h3>
            <p className={clsx('second', styles.featureText)}>{t(text)}</p>
            <Link to={to} data-covers className={clsx('target label', styles.featureLink)}>
              <FormattedMessage id={link} />
              <Icon icon={ArrowRight} size={20} />
            </Link>
          </MediaCard>
        ))}
      </ul>
    </Section>
  );
}

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

function Testimonials() {
  const t = useT();
  const isRow = !useMediaQuery(TABLET_UP);
  return (
    <Section
      tone="foam"
      eyebrow={t('landingBelow.testimonialsEyebrow')}
      title={t('landingBelow.testimonialsTitle')}
    >
      <ul
        className={clsx('stack', styles.grid, styles.testimonials)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be operable by keyboard
        tabIndex={isRow ? 0 : undefined}
        aria-label={isRow ? t('landingBelow.testimonialsTitle') : undefined}
      >
        {TESTIMONIALS.map(({ name, handle, role, nationality, text }) => (
          <Card element="li" key={handle}>
            <figure className={styles.testimonial}>
              <blockquote className={styles.quotation}>
                <p>{t(text)}</p>
              </blockquote>
              <figcaption className={styles.person}>
                <Avatar name={name} />
                <div>
                  <p className="label">
                    <span>{name}</span> <span className={clsx('muted', styles.handle)}>{handle}</span>
                  </p>
                  <p className={clsx('muted dotted', styles.about)}>
                    <span>{t(role)}</span>
                    <span>{t(nationality)}</span>
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
