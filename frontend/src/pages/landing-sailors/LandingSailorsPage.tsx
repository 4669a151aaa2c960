import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import heroSailors from '@media/hero-sailors.avif?picture';
import heroSailorsPortrait from '@media/hero-sailors-portrait.avif?picture';
import { useLaunch } from '../../lib/useLaunch';
import { ButtonLink } from '../../ui/Button';
import { CallToAction } from '../../ui/Section';
import { Hero } from '../../ui/Hero';
import { JumpLink } from '../../ui/JumpLink';
import { FeatureStrip } from './FeatureStrip';

export { LandingLayout as Layout } from '../../shell/LandingLayout';

/** Render `/landing-sailors` (spec section 2, Landing for sailors). */
export default function LandingSailorsPage() {
  const { formatMessage } = useIntl();
  const launch = useLaunch();
  return (
    <>
      <Hero
        picture={heroSailors}
        portrait={heroSailorsPortrait}
        alt={formatMessage({ id: 'landingSailors.picture' })}
        light="day"
        badge={<FormattedMessage id="landingSailors.eyebrow" />}
        title={<FormattedMessage id="landingSailors.title" />}
        lead={<FormattedMessage id="landingSailors.lead" values={{ launch }} />}
        actions={
          <JumpLink target="features" onClick={() => trackButton('start_your_journey', 'landing-sailors')}>
            <FormattedMessage id="landingSailors.start" />
          </JumpLink>
        }
      />
      <FeatureStrip />
      <CallToAction
        eyebrow={<FormattedMessage id="landingSailorsBelow.callEyebrow" />}
        title={<FormattedMessage id="landingSailorsBelow.callTitle" />}
        lead={<FormattedMessage id="landingSailorsBelow.callText" values={{ launch }} />}
      >
        <ButtonLink
          to="/newsletter?source=landing-sailors"
          onClick={() => trackButton('create_your_free_profile', 'landing-sailors')}
        >
          <FormattedMessage id="landingSailorsBelow.create" />
        </ButtonLink>
        <ButtonLink to="/" variant="secondary" onClick={() => trackButton('back_to_home', 'landing-sailors')}>
          <FormattedMessage id="landingSailorsBelow.backHome" />
        </ButtonLink>
      </CallToAction>
    </>
  );
}
