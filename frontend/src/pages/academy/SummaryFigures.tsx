import { FormattedMessage } from 'react-intl';

import { Stat } from '../../ui/Stat';
import type { Summary } from './course';
import * as styles from './SummaryFigures.module.css';
import { useFormats } from './useFormats';

/** What the member has done so far, in three figures. */
export function SummaryFigures({
  summary: { activeCourses, averageProgress, learningTime },
}: {
  summary: Summary;
}) {
  const format = useFormats();
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
