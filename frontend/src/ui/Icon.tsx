import type { IconNode } from 'lucide';
import { createElement } from 'react';

import * as styles from './Icon.module.css';

interface IconProps {
  /** The drawing, from lucide: the shapes that it is made of. */
  of: IconNode;
  /** Width and height in pixels. */
  size?: number;
}

/** A line icon, 1.75 px at every size. It decorates: the words that it stands by say what it means. */
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
