import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Course, LearningPath } from './academy';
import * as styles from './LearningPaths.module.css';
import { PathCard } from './PathCard';

interface LearningPathsProps {
  paths: readonly LearningPath[];
  courses: readonly Course[];
}

export function LearningPaths({ paths, courses }: LearningPathsProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        <FormattedMessage id="academy.paths" />
      </h2>
      <ul className={styles.paths}>
        {paths.map((path) => (
          <PathCard
            key={path.id}
            path={path}
            courses={path.courses.flatMap((id) => courses.filter((course) => course.id === id))}
          />
        ))}
      </ul>
    </section>
  );
}
