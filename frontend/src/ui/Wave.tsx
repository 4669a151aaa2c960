import { clsx } from 'clsx';

import * as styles from './Wave.module.css';

/** The edge where water meets page: lies along the bottom of what it is put into, in the colour of the text. */
export function Wave({ className }: { className?: string | undefined }) {
  return <div className={clsx(styles.wave, className)} />;
}
