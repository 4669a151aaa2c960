import * as styles from './ProgressBar.module.css';

/** A progress bar in the color of its progress. */
export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <progress
      className={styles.bar}
      data-level={getProgressLevel(percent)}
      aria-label={label}
      max={100}
      value={percent}
    />
  );
}

/** Return the level of a progress in percent (spec section 4): gray, orange, blue or green. */
export function getProgressLevel(percent: number): 'none' | 'low' | 'high' | 'complete' {
  if (percent <= 0) return 'none';
  if (percent < 50) return 'low';
  return percent < 100 ? 'high' : 'complete';
}
