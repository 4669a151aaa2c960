import { FormattedMessage } from 'react-intl';

import oceanPoster from '@media/ocean-poster.avif?picture';
import oceanPosterPortrait from '@media/ocean-poster-portrait.avif?picture';
import { useLaunch } from '../../config/useLaunch';
import { Picture } from '../../ui/Picture';
import { Section } from '../../ui/Section';
import * as styles from './Mission.module.css';

export function Mission() {
  const launch = useLaunch();
  return (
    <Section
      tone="dark"
      className={styles.mission}
      scene={
        <div className={styles.scene}>
          <Picture
            files={oceanPoster}
            portrait={oceanPosterPortrait}
            portraitMedia="(width < 1024px)"
            alt=""
            sizes="(width >= 1024px) max(125vw, 80rem), max(100vw, 34rem)"
            className={styles.picture}
            lazy
          />
        </div>
      }
      eyebrow={<FormattedMessage id="landingBelow.missionEyebrow" />}
      title={<FormattedMessage id="landingBelow.missionTitle" />}
      lead={<FormattedMessage id="landingBelow.missionText" values={{ launch }} />}
    />
  );
}
