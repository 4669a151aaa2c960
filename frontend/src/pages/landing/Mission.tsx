import { FormattedMessage } from 'react-intl';

import { oceanPoster } from '../../pictures/ocean-poster';
import { useLaunch } from '../../shell/useLaunch';
import { PictureFrame } from '../../ui/PictureFrame';
import { Section } from '../../ui/Section';
import * as styles from './Mission.module.css';

export function Mission() {
  const launch = useLaunch();
  return (
    <Section
      tone="dark"
      className={styles.mission}
      scene={
        <PictureFrame
          files={oceanPoster}
          alt=""
          sizes="(width >= 1024px) max(125vw, 80rem), max(100vw, 60rem)"
          className={styles.scene}
          pictureClassName={styles.picture}
        />
      }
      eyebrow={<FormattedMessage id="landingBelow.missionEyebrow" />}
      title={<FormattedMessage id="landingBelow.missionTitle" />}
      lead={<FormattedMessage id="landingBelow.missionText" values={{ launch }} />}
    />
  );
}
