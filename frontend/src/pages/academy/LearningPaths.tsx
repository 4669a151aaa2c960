import { clsx } from 'clsx';
import { useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { PictureFrame } from '../../ui/PictureFrame';
import { type LearningPath, LEVEL_LABELS } from './academy';
import { DottedFacts, Progress } from './CourseCard';
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

function PathCard({ path }: { path: LearningPath }) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const titleId = useId();
  const { title, completedCourses: completed, totalCourses: total } = path;
  const hasBegun = completed > 0;
  return (
    <Card element="li" className={styles.path}>
      <div className={styles.header}>
        <DottedFacts facts={[t(LEVEL_LABELS[path.difficulty]), format.hours(path.totalDuration)]} />
        <h3 id={titleId} className={clsx('title', styles.title)}>
          {title}
        </h3>
        <p className={clsx('second', styles.description)}>{path.description}</p>
        <PictureFrame files={path.picture} alt="" sizes="9rem" className={styles.picture} />
      </div>
      <Progress label={title} percent={Math.round((completed / total) * 100)}>
        <span>{t('academy.pathProgress', { completed, total })}</span>
      </Progress>
      <Button
        variant={hasBegun ? 'primary' : 'secondary'}
        className={styles.action}
        aria-describedby={titleId}
        onClick={opensAtLaunch}
      >
        {t(hasBegun ? 'academy.continuePath' : 'academy.startPath')}
      </Button>
    </Card>
  );
}
