import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { PageHeading } from '../../layouts/PageHeading';
import { QueryBoundary } from '../../loading/QueryBoundary';
import { Stat } from '../../ui/Stat';
import type { Summary } from './academy';
import * as styles from './AcademyPage.module.css';
import { Catalogue } from './Catalogue';
import { useAcademyQuery } from './data/useAcademyQuery';
import { LearningPaths } from './LearningPaths';

export { AppLayout as Layout } from '../../layouts/AppLayout';

/** Render `/academy` (spec section 2, Academy). */
export default function AcademyPage() {
  const query = useAcademyQuery();
  return (
    <>
      <PageHeading
        title={<FormattedMessage id="academy.title" />}
        lead={<FormattedMessage id="academy.lead" />}
      >
        {query.data && <SummaryFigures summary={query.data.summary} />}
      </PageHeading>
      <QueryBoundary query={query}>
        {({ paths, courses }) => (
          <>
            <LearningPaths paths={paths} courses={courses} />
            <Catalogue courses={courses} />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function SummaryFigures({ summary: { activeCourses, averageProgress, learningTime } }: { summary: Summary }) {
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
