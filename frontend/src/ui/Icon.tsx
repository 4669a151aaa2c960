import type { IconNode } from 'lucide';
import { createElement } from 'react';

import * as styles from './Icon.module.css';

interface IconProps {
  /** From lucide. */
  icon: IconNode;
  /** In pixels. */
  size?: number;
}

/** A line icon with a 1.75 px stroke at every size, hidden from screen readers. */
export function Icon({ icon, size = 24 }: IconProps) {
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {icon.map(([shape, attributes], index) => createElement(shape, { key: index, ...attributes }))}
    </svg>
  );
}
