import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { ProgressBar } from '../../ui/ProgressBar';
import type { Course } from './academy';
import * as styles from './CourseProgress.module.css';

/** Render the member's progress in a course and the next lesson. */
export function CourseProgress({ course: { title, progress, nextLesson } }: { course: Course }) {
  const format = useNumberFormats();
  return (
    <div className={styles.progress}>
      <p className={styles.line}>
        {nextLesson ? (
          <span className={styles.next}>
            <span className="visually-hidden">
              <FormattedMessage id="academy.nextLesson" />
            </span>
            <span>{nextLesson}</span>
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
