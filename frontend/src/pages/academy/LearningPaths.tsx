import { clsx } from 'clsx';
import { useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { PictureFrame } from '../../ui/PictureFrame';
import { type LearningPath, LEVEL_LABELS, getPathAction, getPathProgress } from './academy';
import { Kind, Progress } from './CourseCard';
import * as styles from './LearningPaths.module.css';

export function LearningPaths({ paths }: { paths: readonly LearningPath[] }) {
  const t = useT();
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={clsx('title', styles.heading)}>
        {t('academy.paths')}
      </h2>
      <ul className={clsx('stack', styles.paths)}>
        {paths.map((path) => (
          <PathCard key={path.id} path={path} />
        ))}
      </ul>
    </section>
  );
}

const ACTION_LABELS = { continue: 'academy.continuePath', start: 'academy.startPath' } as const;

export function PathCard({ path }: { path: LearningPath }) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const titleId = useId();
  const action = getPathAction(path);
  return (
    <Card element="li" className={styles.path}>
      <div className={styles.header}>
        <Kind>
          <span>{t(LEVEL_LABELS[path.difficulty])}</span>
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
            {t('academy.pathProgress', { completed: path.completedCourses, total: path.totalCourses })}
          </span>
        </Progress>
        <Button
          variant={action === 'continue' ? 'primary' : 'secondary'}
          className={styles.action}
          aria-describedby={titleId}
          onClick={opensAtLaunch}
        >
          {t(ACTION_LABELS[action])}
        </Button>
      </div>
    </Card>
  );
}
