import { useT } from '../../i18n/LanguageProvider';
import heroSailors from '@media/hero-sailors.avif?picture';
import heroSailorsPortrait from '@media/hero-sailors-portrait.avif?picture';
import { useLaunch } from '../../lib/SiteConfig';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/Section';
import { Hero } from '../../ui/Hero';
import { JumpLink } from '../../ui/JumpLink';
import { FeatureStrip } from './FeatureStrip';

export { LandingLayout as Layout } from '../../shell/LandingLayout';

/** Render `/landing-sailors` (spec section 2, Landing for sailors). */
export default function LandingSailorsPage() {
  const t = useT();
  const launch = useLaunch();
  return (
    <>
      <Hero
        picture={heroSailors}
        portrait={heroSailorsPortrait}
        alt={t('landingSailors.picture')}
        light="day"
        badge={t('landingSailors.eyebrow')}
        title={t('landingSailors.title')}
        lead={t('landingSailors.lead', { launch })}
        actions={
          <JumpLink target="features" data-track="start_your_journey">
            {t('landingSailors.start')}
          </JumpLink>
        }
      />
      <FeatureStrip />
      <CallToAction
        eyebrow={t('landingSailorsBelow.callEyebrow')}
        title={t('landingSailorsBelow.callTitle')}
        lead={t('landingSailorsBelow.callText', { launch })}
      >
        <ButtonLink to="/newsletter?source=landing-sailors" data-track="create_your_free_profile">
          {t('landingSailorsBelow.create')}
        </ButtonLink>
        <ButtonLink to="/" variant="secondary" data-track="back_to_home">
          {t('landingSailorsBelow.backHome')}
        </ButtonLink>
      </CallToAction>
    </>
  );
}
