import { clsx } from 'clsx';
import { BookOpen, Clock, Star, Users } from 'lucide';
import { type ReactNode, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { MediaCard } from '../../ui/MediaCard';
import { ProgressBar } from '../../ui/ProgressBar';
import { CATEGORY_LABELS, type Course, getCourseAction, LEVEL_LABELS } from './academy';
import * as styles from './CourseCard.module.css';

export function CourseCard({ course }: { course: Course }) {
  const t = useT();
  const format = useNumberFormats();
  const titleId = useId();
  const { title, description, instructor, image, skills } = course;
  return (
    <MediaCard
      element="li"
      className={styles.course}
      picture={image}
      sizes="(width >= 1024px) min(31vw, 27rem), (width >= 768px) 45vw, 92vw"
      overlay={
        <p className={clsx('pill', styles.rating)}>
          <Icon icon={Star} size={16} />
          <span className="visually-hidden">{t('academy.rating')}</span>
          <span>{format.rating(course.rating)}</span>
        </p>
      }
    >
      <Kind>
        <span>{t(CATEGORY_LABELS[course.category])}</span>
        <span>{t(LEVEL_LABELS[course.level])}</span>
      </Kind>
      <h3 id={titleId} className={styles.title}>
        {title}
      </h3>
      <p className={clsx('muted', styles.instructor)}>{t('academy.instructor', { instructor })}</p>
      <p className={styles.description}>{description}</p>
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
        {skills.map((skill) => (
          <li key={skill} className="pill">
            {skill}
          </li>
        ))}
      </ul>
      <div className={styles.footer}>
        {course.isEnrolled && <CourseProgress course={course} />}
        <CourseActions course={course} titleId={titleId} />
      </div>
    </MediaCard>
  );
}

/** Render two short facts with a dot between them. */
export function Kind({ children }: { children: ReactNode }) {
  return <p className={clsx('dotted', styles.kind)}>{children}</p>;
}

const LABELS = {
  enroll: 'academy.enroll',
  start: 'academy.start',
  continue: 'academy.continue',
  review: 'academy.review',
} as const;

interface CourseActionsProps {
  course: Course;
  /** Id of the course's title, which describes the buttons. */
  titleId: string;
}

function CourseActions({ course, titleId }: CourseActionsProps) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const action = getCourseAction(course);
  const button = { className: styles.action, 'aria-describedby': titleId };
  return (
    <div className={styles.actions}>
      <Button
        {...button}
        variant={action === 'enroll' || action === 'continue' ? 'primary' : 'secondary'}
        onClick={opensAtLaunch}
      >
        {t(LABELS[action], { price: format.price(course.price) })}
      </Button>
      {action === 'enroll' && (
        <Button {...button} variant="secondary" onClick={opensAtLaunch}>
          {t('academy.preview')}
        </Button>
      )}
    </div>
  );
}

/** Render the member's progress in a course and the next lesson. */
function CourseProgress({ course: { title, progress, nextLesson } }: { course: Course }) {
  const t = useT();
  return (
    <div className={styles.progress}>
      <Progress label={title} percent={progress}>
        {nextLesson ? (
          <span className={styles.nextLesson}>
            <span className="visually-hidden">{t('academy.nextLesson')}</span>
            <span>{nextLesson}</span>
          </span>
        ) : (
          <FormattedMessage id="academy.completed" />
        )}
      </Progress>
    </div>
  );
}

interface ProgressProps {
  label: string;
  percent: number;
  children: ReactNode;
}

/** Render a text and a progress in percent, above its bar. */
export function Progress({ label, percent, children }: ProgressProps) {
  const format = useNumberFormats();
  return (
    <>
      <p className={styles.progressText}>
        {children}
        <strong>{format.percent(percent)}</strong>
      </p>
      <ProgressBar label={label} percent={percent} />
    </>
  );
}
