import type { IconNode } from 'lucide';

import { Icon } from './Icon';
import * as styles from './IconDisc.module.css';

/** A line icon in a haze circle. */
export function IconDisc({ of }: { of: IconNode }) {
  return (
    <span className={styles.disc}>
      <Icon of={of} size={26} />
    </span>
  );
}
