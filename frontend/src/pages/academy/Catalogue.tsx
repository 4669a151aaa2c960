import { GraduationCap } from 'lucide';
import { useId, useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FilterChips } from '../../ui/FilterChips';
import * as styles from './Catalogue.module.css';
import { CATEGORIES, type Category, type Course, type Level, LEVELS } from './course';
import { CourseCard } from './CourseCard';
import { CATEGORY_LABELS, LEVEL_LABELS } from './labels';
import { findCourses, NO_FILTER } from './rules';
import { useCourseFilter } from './useCourseFilter';

/** The courses, narrowed by category and level. */
export function Catalogue({ courses }: { courses: readonly Course[] }) {
  const { formatMessage } = useIntl();
  const headingId = useId();
  const [{ category, level }, narrow] = useCourseFilter();
  const found = useMemo(() => findCourses(courses, { category, level }), [courses, category, level]);

  return (
    <section aria-labelledby={headingId} className={styles.catalogue}>
      <div className={styles.head}>
        <h2 id={headingId} tabIndex={-1} className={styles.heading}>
          <FormattedMessage id="academy.courses" />
        </h2>
        <p role="status" className={styles.count}>
          <FormattedMessage id="academy.count" values={{ count: found.length }} />
        </p>
      </div>
      <div className={styles.filters}>
        <FilterChips<Category | ''>
          label={formatMessage({ id: 'academy.category' })}
          chips={[
            { value: '', label: formatMessage({ id: 'academy.allCategories' }) },
            ...CATEGORIES.map((value) => ({ value, label: formatMessage({ id: CATEGORY_LABELS[value] }) })),
          ]}
          value={category}
          onChange={(value) => narrow({ category: value })}
        />
        <FilterChips<Level | ''>
          label={formatMessage({ id: 'academy.level' })}
          chips={[
            { value: '', label: formatMessage({ id: 'academy.allLevels' }) },
            ...LEVELS.map((value) => ({ value, label: formatMessage({ id: LEVEL_LABELS[value] }) })),
          ]}
          value={level}
          onChange={(value) => narrow({ level: value })}
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
            <Button
              variant="secondary"
              onClick={() => {
                // The button goes with the empty list.
                document.getElementById(headingId)?.focus({ preventScroll: true });
                narrow(NO_FILTER);
              }}
            >
              <FormattedMessage id="academy.clearFilters" />
            </Button>
          }
        />
      )}
    </section>
  );
}
