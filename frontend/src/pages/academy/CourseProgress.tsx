import { FormattedMessage } from 'react-intl';

import { ProgressBar } from '../../ui/ProgressBar';
import type { Course } from './course';
import * as styles from './CourseProgress.module.css';
import { useFormats } from './useFormats';

/** How far the member has come with a course, and what is next. */
export function CourseProgress({ course: { title, progress, nextLesson } }: { course: Course }) {
  const format = useFormats();
  return (
    <div className={styles.progress}>
      <p className={styles.line}>
        {nextLesson ? (
          <span className={styles.next}>
            <span className="visually-hidden">
              <FormattedMessage id="academy.nextLesson" />
            </span>
            <span lang="en">{nextLesson}</span>
          </span>
        ) : (
          <FormattedMessage id="academy.completed" />
        )}
        <strong>{format.percent(progress)}</strong>
      </p>
      <ProgressBar label={title} percent={progress} />
    </div>
  );
}
