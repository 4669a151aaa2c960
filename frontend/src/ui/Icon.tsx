import type { IconNode } from 'lucide';
import { createElement } from 'react';

import * as styles from './Icon.module.css';

interface IconProps {
  /** From lucide. */
  icon: IconNode;
  /** In pixels. */
  size?: number | undefined;
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

/** An icon in a circle. */
export function IconDisc({ icon }: { icon: IconNode }) {
  return (
    <span className={styles.disc}>
      <Icon icon={icon} size={26} />
    </span>
  );
}

/** A spinner; the text beside it says what is pending. */
export function Spinner() {
  return (
    <svg className={styles.spinner} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="9" className={styles.track} />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}
