import { BookOpen, Check, Clock, Star, Users } from 'lucide';
import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { PersonCard } from '../../ui/PersonCard';
import { PictureFrame } from '../../ui/PictureFrame';
import { CATEGORY_LABELS, type Course, LEVEL_LABELS } from './academy';
import * as styles from './CourseDialog.module.css';

interface CourseDialogProps {
  /** Undefined while the dialog is closed. */
  course: Course | undefined;
  onClose: () => void;
}

/** Render the preview of a course: what it teaches, who teaches it, and the way in. */
export function CourseDialog({ course, onClose }: CourseDialogProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  return (
    <Dialog
      open={course !== undefined}
      onClose={onClose}
      title={course?.title}
      footer={
        course && (
          <DialogAction summary={<Kind course={course} />}>
            <Button onClick={opensAtLaunch}>
              <FormattedMessage id="academy.enroll" values={{ price: format.price(course.price) }} />
            </Button>
          </DialogAction>
        )
      }
    >
      {course && <CoursePreview course={course} />}
    </Dialog>
  );
}

function Kind({ course: { category, level } }: { course: Course }) {
  return (
    <p className={styles.kind}>
      <span>
        <FormattedMessage id={CATEGORY_LABELS[category]} />
      </span>
      <span>
        <FormattedMessage id={LEVEL_LABELS[level]} />
      </span>
    </p>
  );
}

function CoursePreview({ course }: { course: Course }) {
  const format = useNumberFormats();
  const skillsId = useId();
  const { description, duration, lessons, students, rating, instructor, image, skills, nextLesson } = course;
  return (
    <div className={styles.preview}>
      <PictureFrame
        files={image}
        alt={image.alt}
        sizes="(width >= 768px) 40rem, 92vw"
        className={styles.frame}
        pictureClassName={styles.picture}
      />
      <ul className={styles.facts}>
        <li>
          <Icon icon={Star} size={18} />
          <span className="visually-hidden">
            <FormattedMessage id="academy.rating" />
          </span>
          <span>{format.rating(rating)}</span>
        </li>
        <li>
          <Icon icon={Clock} size={18} />
          <span>{format.hours(duration)}</span>
        </li>
        <li>
          <Icon icon={BookOpen} size={18} />
          <FormattedMessage id="academy.lessons" values={{ count: lessons }} />
        </li>
        <li>
          <Icon icon={Users} size={18} />
          <FormattedMessage id="academy.students" values={{ count: students }} />
        </li>
      </ul>
      <p className={styles.description}>{description}</p>
      <section aria-labelledby={skillsId}>
        <h3 id={skillsId} className={styles.heading}>
          <FormattedMessage id="academy.skills" />
        </h3>
        <ul className={styles.skills}>
          {skills.map((skill) => (
            <li key={skill}>
              <Icon icon={Check} size={18} />
              <span>{skill}</span>
            </li>
          ))}
        </ul>
      </section>
      {nextLesson && (
        <p className={styles.next}>
          <strong className={styles.heading}>
            <FormattedMessage id="academy.nextLesson" />
          </strong>
          <span>{nextLesson}</span>
        </p>
      )}
      <PersonCard name={instructor} role={<FormattedMessage id="academy.teaches" />} />
    </div>
  );
}
