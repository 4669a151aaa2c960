import type { IconNode } from 'lucide';

import { Icon } from './Icon';
import * as styles from './IconDisc.module.css';

/** An icon in a circle. */
export function IconDisc({ icon }: { icon: IconNode }) {
  return (
    <span className={styles.disc}>
      <Icon icon={icon} size={26} />
    </span>
  );
}
