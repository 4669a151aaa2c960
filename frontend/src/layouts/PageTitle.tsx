import type { ReactNode, Ref } from 'react';
import { FormattedMessage } from 'react-intl';

import * as styles from './PageTitle.module.css';

interface PageTitleProps {
  children: ReactNode;
  /** The heading, for pages that move the focus to it. */
  ref?: Ref<HTMLHeadingElement>;
}

/** The h1 of a page with sample data, and the chip that says so (ruling 29). */
export function PageTitle({ children, ref }: PageTitleProps) {
  return (
    <div className={styles.line}>
      <h1 ref={ref} tabIndex={-1} className={styles.title}>
        {children}
      </h1>
      <p className={styles.chip}>
        <FormattedMessage id="sample.preview" />
      </p>
    </div>
  );
}
