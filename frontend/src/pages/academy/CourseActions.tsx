import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { type Course, courseAction } from './academy';
import * as styles from './CourseActions.module.css';

interface CourseActionsProps {
  course: Course;
  /** Id of the course's title, which describes the buttons. */
  titleId: string;
}

export function CourseActions({ course, titleId }: CourseActionsProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
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
