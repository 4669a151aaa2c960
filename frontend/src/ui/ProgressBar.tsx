import * as styles from './ProgressBar.module.css';
import { progressTone } from './progressTone';

interface ProgressBarProps {
  /** What makes progress. */
  label: string;
  /** How much is done, of 100. */
  percent: number;
}

/** How much of something is done, as a line in the colour of the progress; the figure stands beside it in words. */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  return (
    <progress
      className={styles.bar}
      data-tone={progressTone(percent)}
      aria-label={label}
      max={100}
      value={percent}
    />
  );
}
