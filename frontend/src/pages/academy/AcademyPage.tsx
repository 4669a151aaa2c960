import { clsx } from 'clsx';
import { GraduationCap } from 'lucide';
import { useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useUrlState } from '../../lib/router/useUrlState';
import { PageHeading } from '../../shell/PageHeading';
import { Button } from '../../ui/Button';
import { StateCard } from '../../ui/StateCard';
import { FilterChips } from '../../ui/Choices';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { Stat } from '../../ui/Stat';
import {
  type Academy,
  CATEGORIES,
  type Category,
  CATEGORY_LABELS,
  type Course,
  FILTER_READERS,
  type Level,
  LEVEL_LABELS,
  LEVELS,
} from './academy';
import * as styles from './AcademyPage.module.css';
import { CourseCard } from './CourseCard';
import { useAcademyQuery } from './data/useAcademyQuery';
import { LearningPaths } from './LearningPaths';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Render `/academy` (spec section 2, Academy). */
export default function AcademyPage() {
  const t = useT();
  const query = useAcademyQuery();
  return (
    <>
      <PageHeading title={t('academy.title')} lead={t('academy.lead')}>
        {query.data && <Figures {...query.data.summary} />}
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

function Figures({ activeCourses, averageProgress, learningTime }: Academy['summary']) {
  const t = useT();
  const format = useNumberFormats();
  return (
    <ul className={styles.figures}>
      <Stat value={activeCourses} label={t('academy.activeCourses', { count: activeCourses })} />
      <Stat value={format.percent(averageProgress)} label={t('academy.averageProgress')} />
      <Stat value={format.hours(learningTime)} label={t('academy.learningTime')} />
    </ul>
  );
}

function Catalogue({ courses }: { courses: readonly Course[] }) {
  const t = useT();
  const headingId = useId();
  const { state, change } = useUrlState(FILTER_READERS);
  const found = courses.filter(
    ({ category, level }) =>
      (!state.category || category === state.category) && (!state.level || level === state.level),
  );

  return (
    <section aria-labelledby={headingId} className={styles.catalogue}>
      <div className={styles.header}>
        <h2 id={headingId} className={clsx('title', styles.heading)}>
          {t('academy.courses')}
        </h2>
        <p role="status" className="second">
          {t('academy.count', { count: found.length })}
        </p>
      </div>
      <div className={styles.filters}>
        <FilterChips<Category | ''>
          label={t('academy.category')}
          chips={[
            { value: '', label: t('academy.allCategories') },
            ...CATEGORIES.map((value) => ({ value, label: t(CATEGORY_LABELS[value]) })),
          ]}
          value={state.category}
          onChange={(category) => change({ category })}
        />
        <FilterChips<Level | ''>
          label={t('academy.level')}
          chips={[
            { value: '', label: t('academy.allLevels') },
            ...LEVELS.map((value) => ({ value, label: t(LEVEL_LABELS[value]) })),
          ]}
          value={state.level}
          onChange={(level) => change({ level })}
        />
      </div>
      {found.length > 0 ? (
        <ul className={styles.courses}>
          {found.map((course, index) => (
            <CourseCard
              key={course.id}
              course={course}
              isWide={index === found.length - 1 && index % 2 === 0}
            />
          ))}
        </ul>
      ) : (
        <StateCard
          icon={GraduationCap}
          title={t('academy.noneFound')}
          hint={t('academy.noneFoundHint')}
          action={
            <Button variant="secondary" onClick={() => change({ category: '', level: '' })}>
              {t('academy.clearFilters')}
            </Button>
          }
        />
      )}
    </section>
  );
}
