import { clsx } from 'clsx';

import * as styles from './Wave.module.css';

/** The edge where water meets page: lies along the bottom of what it is put into, in the colour of the text. */
export function Wave({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={clsx(styles.wave, className)}
      viewBox="0 0 1440 72"
      preserveAspectRatio="none"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M0 46c118-30 236-41 372-27 168 17 262 44 430 37 150-6 240-48 398-50 94-1 172 12 240 31v36H0z" />
    </svg>
  );
}
