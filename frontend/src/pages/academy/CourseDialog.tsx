import { Check } from 'lucide';
import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { PersonCard } from '../../ui/PersonCard';
import { PictureFrame } from '../../ui/PictureFrame';
import type { Course } from './academy';
import { CourseFacts, CourseKind, CourseRating } from './CourseCard';
import * as styles from './CourseDialog.module.css';

interface CourseDialogProps {
  course: Course;
  onClose: () => void;
}

/** Render the preview of a course: what it teaches, who teaches it, and the way in. */
export function CourseDialog({ course, onClose }: CourseDialogProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const skillsId = useId();
  const { title, description, price, instructor, image, skills, nextLesson } = course;
  return (
    <Dialog
      onClose={onClose}
      title={title}
      footer={
        <DialogAction summary={<CourseKind course={course} />}>
          <Button onClick={opensAtLaunch}>
            <FormattedMessage id="academy.enroll" values={{ price: format.price(price) }} />
          </Button>
        </DialogAction>
      }
    >
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
            <CourseRating course={course} iconSize={18} />
          </li>
          <CourseFacts course={course} iconSize={18} />
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
    </Dialog>
  );
}
