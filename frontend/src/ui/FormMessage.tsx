import { CircleAlert } from 'lucide';

import * as styles from './FormMessage.module.css';
import { Icon } from './Icon';

interface FormMessageProps {
  /** What went wrong with the form as a whole; nothing while all is well. */
  children: string | undefined;
}

/** Why a form could not be sent. The region stands there before its text, so that the text is announced. */
export function FormMessage({ children }: FormMessageProps) {
  return (
    <div role="alert" className={styles.message}>
      {children && (
        <>
          <Icon of={CircleAlert} size={20} />
          {children}
        </>
      )}
    </div>
  );
}
