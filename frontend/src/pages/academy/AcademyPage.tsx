import { GraduationCap } from 'lucide';
import { useId } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { PageHeading } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { useUrlState } from '../../lib/router/useUrlState';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FilterChips } from '../../ui/FilterChips';
import { Stat } from '../../ui/Stat';
import {
  CATEGORIES,
  type Category,
  CATEGORY_LABELS,
  type Course,
  FILTER_READERS,
  filterCourses,
  type Level,
  LEVEL_LABELS,
  LEVELS,
  NO_FILTER,
  type Summary,
} from './academy';
import * as styles from './AcademyPage.module.css';
import { CourseCard } from './CourseCard';
import { useAcademyQuery } from './data/useAcademyQuery';
import { LearningPaths } from './LearningPaths';

export { AppLayout as Layout } from '../../shell/AppLayout';

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
            <LearningPaths paths={paths} />
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

/** Render the courses with filters by category and level. */
function Catalogue({ courses }: { courses: readonly Course[] }) {
  const { formatMessage } = useIntl();
  const headingId = useId();
  const { state: filter, commit } = useUrlState(FILTER_READERS);
  const found = filterCourses(courses, filter);

  return (
    <section aria-labelledby={headingId} className={styles.catalogue}>
      <div className={styles.header}>
        <h2 id={headingId} className={styles.heading}>
          <FormattedMessage id="academy.courses" />
        </h2>
        <p role="status" className={styles.count}>
          <FormattedMessage id="academy.count" values={{ count: found.length }} />
        </p>
      </div>
      <div className={styles.filters}>
        <FilterChips<Category | ''>
          label={formatMessage({ id: 'academy.category' })}
          scrolls
          chips={[
            { value: '', label: formatMessage({ id: 'academy.allCategories' }) },
            ...CATEGORIES.map((value) => ({ value, label: formatMessage({ id: CATEGORY_LABELS[value] }) })),
          ]}
          value={filter.category}
          onChange={(value) => commit({ category: value }, { replace: true })}
        />
        <FilterChips<Level | ''>
          label={formatMessage({ id: 'academy.level' })}
          scrolls
          chips={[
            { value: '', label: formatMessage({ id: 'academy.allLevels' }) },
            ...LEVELS.map((value) => ({ value, label: formatMessage({ id: LEVEL_LABELS[value] }) })),
          ]}
          value={filter.level}
          onChange={(value) => commit({ level: value }, { replace: true })}
        />
      </div>
      {found.length > 0 ? (
        <ul className={styles.courses}>
          {found.map((course) => (
            <CourseCard key={course.id} course={course} />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={GraduationCap}
          title={<FormattedMessage id="academy.noneFound" />}
          hint={<FormattedMessage id="academy.noneFoundHint" />}
          action={
            <Button variant="secondary" onClick={() => commit(NO_FILTER, { replace: true })}>
              <FormattedMessage id="academy.clearFilters" />
            </Button>
          }
        />
      )}
    </section>
  );
}
