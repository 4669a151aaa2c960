import type { IconNode } from 'lucide';
import { createElement } from 'react';

import * as styles from './Icon.module.css';

interface IconProps {
  /** The lucide icon. */
  of: IconNode;
  /** In pixels. */
  size?: number;
}

/** A line icon with a 1.75 px stroke at every size, hidden from screen readers. */
export function Icon({ of: shapes, size = 24 }: IconProps) {
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {shapes.map(([shape, attributes], index) => createElement(shape, { key: index, ...attributes }))}
    </svg>
  );
}
