import { FormattedMessage } from 'react-intl';

import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import type { Course } from './course';
import * as styles from './CourseActions.module.css';
import { courseAction } from './rules';
import { useFormats } from './useFormats';

interface CourseActionsProps {
  course: Course;
  /** The id of the course's title, which the buttons of its card do not repeat. */
  titleId: string;
}

/** What can be done with a course; all of it opens at launch. */
export function CourseActions({ course, titleId }: CourseActionsProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useFormats();
  const action = courseAction(course);
  const button = { className: styles.action, 'aria-describedby': titleId, onClick: opensAtLaunch };

  if (action !== 'enroll') {
    return (
      <div className={styles.actions}>
        <Button {...button}>
          <FormattedMessage id={action === 'continue' ? 'academy.continue' : 'academy.start'} />
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      <Button {...button}>
        <FormattedMessage id="academy.enroll" values={{ price: format.price(course.price) }} />
      </Button>
      <Button {...button} variant="secondary">
        <FormattedMessage id="academy.preview" />
      </Button>
    </div>
  );
}
