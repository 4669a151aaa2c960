import { clsx } from 'clsx';
import { BookOpen, Clock, Star, Users } from 'lucide';
import { type ReactNode, useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { MediaCard } from '../../ui/MediaCard';
import { ProgressBar } from '../../ui/ProgressBar';
import { CATEGORY_LABELS, type Course, LEVEL_LABELS } from './academy';
import * as styles from './CourseCard.module.css';

interface CourseCardProps {
  course: Course;
  /** Whether it is as wide as the list on a tablet, with a picture as high as its text. */
  isWide: boolean;
}

export function CourseCard({ course, isWide }: CourseCardProps) {
  const t = useT();
  const format = useNumberFormats();
  const opensAtLaunch = useOpensAtLaunch();
  const titleId = useId();
  const { title, instructor, progress, nextLesson } = course;
  const hasBegun = progress > 0;
  const button = { className: styles.action, 'aria-describedby': titleId, onClick: opensAtLaunch };
  return (
    <MediaCard
      element="li"
      className={styles.course}
      picture={course.image}
      sizes={`(width >= 1024px) min(31vw, 27rem), (width >= 768px) ${isWide ? 93 : 45}vw, 92vw`}
      overlay={
        <p className={clsx('pill', styles.rating)}>
          <Icon icon={Star} size={16} />
          <span className="visually-hidden">{t('academy.rating')}</span>
          <span>{format.rating(course.rating)}</span>
        </p>
      }
    >
      <DottedFacts facts={[t(CATEGORY_LABELS[course.category]), t(LEVEL_LABELS[course.level])]} />
      <div className={styles.about}>
        <h3 id={titleId} className="title">
          {title}
        </h3>
        <p className={clsx('muted', styles.instructor)}>{t('academy.instructor', { instructor })}</p>
        <p className={clsx('second', styles.description)}>{course.description}</p>
      </div>
      <ul className={clsx('muted', styles.facts)}>
        <IconText icon={Clock} size={16}>
          {format.hours(course.duration)}
        </IconText>
        <IconText icon={BookOpen} size={16}>
          {t('academy.lessons', { count: course.lessons })}
        </IconText>
        <IconText icon={Users} size={16}>
          {t('academy.students', { count: course.students })}
        </IconText>
      </ul>
      <ul className={clsx('wrap', styles.skills)}>
        {course.skills.map((skill) => (
          <li key={skill} className="pill small">
            {skill}
          </li>
        ))}
      </ul>
      <div className={clsx('wrap', styles.footer)}>
        {course.isEnrolled ? (
          <>
            <Progress label={title} percent={progress}>
              <span>
                {nextLesson ? (
                  <>
                    <span className="visually-hidden">{t('academy.nextLesson')}</span>
                    <span>{nextLesson}</span>
                  </>
                ) : (
                  t('academy.completed')
                )}
              </span>
            </Progress>
            <Button {...button} variant={hasBegun && progress < 100 ? 'primary' : 'secondary'}>
              {t(hasBegun ? 'academy.continue' : 'academy.start')}
            </Button>
          </>
        ) : (
          <>
            <Button {...button}>{t('academy.enroll', { price: format.price(course.price) })}</Button>
            <Button {...button} variant="secondary">
              {t('academy.preview')}
            </Button>
          </>
        )}
      </div>
    </MediaCard>
  );
}

export function DottedFacts({ facts }: { facts: readonly string[] }) {
  return (
    <p className={clsx('dotted', styles.kind)}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}

/** Render a text and a progress in percent, above its bar. */
export function Progress(props: { label: string; percent: number; children: ReactNode }) {
  const format = useNumberFormats();
  return (
    <div className={styles.progress}>
      <p className={styles.progressText}>
        {props.children}
        <strong>{format.percent(props.percent)}</strong>
      </p>
      <ProgressBar label={props.label} percent={props.percent} />
    </div>
  );
}
