import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { PictureFrame } from '../../ui/PictureFrame';
import { type LearningPath, LEVEL_LABELS, getPathAction, getPathProgress } from './academy';
import { Kind, Progress } from './CourseCard';
import * as styles from './LearningPaths.module.css';

export function LearningPaths({ paths }: { paths: readonly LearningPath[] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        <FormattedMessage id="academy.paths" />
      </h2>
      <ul className={styles.paths}>
        {paths.map((path) => (
          <PathCard key={path.id} path={path} />
        ))}
      </ul>
    </section>
  );
}

const ACTION_LABELS = { continue: 'academy.continuePath', start: 'academy.startPath' } as const;

export function PathCard({ path }: { path: LearningPath }) {
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
