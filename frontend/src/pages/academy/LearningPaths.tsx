import { useId } from 'react';
import { FormattedMessage } from 'react-intl';
import { Check, Flag } from 'lucide';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { PictureFrame } from '../../ui/PictureFrame';
import { getProgressLevel } from '../../ui/ProgressBar';
import { type Course, type LearningPath, LEVEL_LABELS, getPathAction, getPathProgress } from './academy';
import { Kind, Progress } from './CourseCard';
import * as styles from './LearningPaths.module.css';

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

const ACTION_LABELS = { continue: 'academy.continuePath', start: 'academy.startPath' } as const;

interface PathCardProps {
  path: LearningPath;
  /** The courses of the path in order. */
  courses: readonly Course[];
}

export function PathCard({ path, courses }: PathCardProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const titleId = useId();
  const action = getPathAction(path);
  return (
    <Card element="li" className={styles.path}>
      <div className={styles.header}>
        <Kind>
          <span>
            <FormattedMessage id={LEVEL_LABELS[path.difficulty]} />
          </span>
          <span>{format.hours(path.totalDuration)}</span>
        </Kind>
        <h3 id={titleId} className={styles.title}>
          {path.title}
        </h3>
        <p className={styles.description}>{path.description}</p>
        <PictureFrame files={path.picture} alt="" sizes="9rem" className={styles.picture} />
      </div>
      <div className={styles.route}>
        <ol className={styles.waypoints}>
          {courses.map(({ id, title, progress }) => (
            <li key={id} className={styles.waypoint} data-level={getProgressLevel(progress)}>
              <span className={styles.mark}>
                {progress >= 100 ? <Icon icon={Check} size={14} /> : <ProgressRing percent={progress} />}
              </span>
              <span>
                <span>{title}</span>
                {progress > 0 && progress < 100 && (
                  <span className={styles.percent}>{format.percent(progress)}</span>
                )}
              </span>
              {progress >= 100 && (
                <span className="visually-hidden">
                  <FormattedMessage id="academy.completed" />
                </span>
              )}
            </li>
          ))}
        </ol>
        <span className={styles.finish}>
          <Icon icon={Flag} />
        </span>
      </div>
      <div className={styles.footer}>
        <Progress label={path.title} percent={getPathProgress(path)}>
          <span>
            <FormattedMessage
              id="academy.pathProgress"
              values={{ completed: path.completedCourses, total: path.totalCourses }}
            />
          </span>
        </Progress>
        <Button
          variant={action === 'continue' ? 'primary' : 'secondary'}
          className={styles.action}
          aria-describedby={titleId}
          onClick={opensAtLaunch}
        >
          <FormattedMessage id={ACTION_LABELS[action]} />
        </Button>
      </div>
    </Card>
  );
}

/** A circle with a colored part, clockwise from the top. */
function ProgressRing({ percent }: { percent: number }) {
  const circle = { cx: 12, cy: 12, r: 11 };
  return (
    <svg viewBox="0 0 24 24" className={styles.ring} aria-hidden="true">
      <circle {...circle} />
      {percent > 0 && (
        <circle {...circle} className={styles.part} pathLength={100} strokeDasharray={`${percent} 100`} />
      )}
    </svg>
  );
}
