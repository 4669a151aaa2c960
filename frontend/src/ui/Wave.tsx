import { clsx } from 'clsx';

import * as styles from './Wave.module.css';

/** A wave along the bottom of its container, in the text color. */
export function Wave({ className }: { className?: string | undefined }) {
  return <div className={clsx(styles.wave, className)} />;
}
