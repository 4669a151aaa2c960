import type { IconNode } from 'lucide';

import { Icon } from './Icon';
import * as styles from './IconDisc.module.css';

/** An icon in a circle. */
export function IconDisc({ of }: { of: IconNode }) {
  return (
    <span className={styles.disc}>
      <Icon of={of} size={26} />
    </span>
  );
}
