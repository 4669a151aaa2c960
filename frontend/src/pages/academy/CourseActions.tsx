import { FormattedMessage } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { type Course, courseAction } from './academy';
import * as styles from './CourseActions.module.css';

const LABELS = {
  start: 'academy.start',
  continue: 'academy.continue',
  review: 'academy.review',
} as const;

interface CourseActionsProps {
  course: Course;
  /** Id of the course's title, which describes the buttons. */
  titleId: string;
  onPreview: (course: Course) => void;
}

export function CourseActions({ course, titleId, onPreview }: CourseActionsProps) {
  const opensAtLaunch = useOpensAtLaunch();
  const format = useNumberFormats();
  const action = courseAction(course);
  const button = { className: styles.action, 'aria-describedby': titleId, onClick: opensAtLaunch };

  if (action !== 'enroll') {
    return (
      <div className={styles.actions}>
        <Button {...button} variant={action === 'continue' ? 'primary' : 'secondary'}>
          <FormattedMessage id={LABELS[action]} />
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      <Button {...button}>
        <FormattedMessage id="academy.enroll" values={{ price: format.price(course.price) }} />
      </Button>
      <Button {...button} variant="secondary" aria-haspopup="dialog" onClick={() => onPreview(course)}>
        <FormattedMessage id="academy.preview" />
      </Button>
    </div>
  );
}
