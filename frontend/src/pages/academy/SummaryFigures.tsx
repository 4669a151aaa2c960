import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { Stat } from '../../ui/Stat';
import type { Summary } from './academy';
import * as styles from './SummaryFigures.module.css';

export function SummaryFigures({
  summary: { activeCourses, averageProgress, learningTime },
}: {
  summary: Summary;
}) {
  const format = useNumberFormats();
  return (
    <ul className={styles.figures}>
      <Stat
        value={activeCourses}
        label={<FormattedMessage id="academy.activeCourses" values={{ count: activeCourses }} />}
      />
      <Stat
        value={format.percent(averageProgress)}
        label={<FormattedMessage id="academy.averageProgress" />}
      />
      <Stat value={format.hours(learningTime)} label={<FormattedMessage id="academy.learningTime" />} />
    </ul>
  );
}
