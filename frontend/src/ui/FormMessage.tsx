import { CircleAlert } from 'lucide';

import * as styles from './FormMessage.module.css';
import { Icon } from './Icon';

interface FormMessageProps {
  /** Undefined without an error. */
  children: string | undefined;
}

/** The error of a form as a whole. A live region must exist before its text. */
export function FormMessage({ children }: FormMessageProps) {
  return (
    <div role="alert" className={styles.message}>
      {children && (
        <>
          <Icon icon={CircleAlert} size={20} />
          <span>{children}</span>
        </>
      )}
    </div>
  );
}
