import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { IconDisc } from '../../ui/Icon';
import * as styles from './Fact.module.css';

interface FactProps {
  icon: IconNode;
  labelId: MessageId;
  className?: string | undefined;
  children: ReactNode;
}

/** One labelled value of the profile. */
export function Fact({ icon, labelId, className, children }: FactProps) {
  return (
    <div className={clsx(styles.fact, className)}>
      <dt className={styles.label}>
        <span className={styles.disc}>
          <IconDisc icon={icon} />
        </span>
        <FormattedMessage id={labelId} />
      </dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}
