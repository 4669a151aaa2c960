import * as styles from './ProgressBar.module.css';
import { progressTone } from './progressTone';

interface ProgressBarProps {
  label: string;
  percent: number;
}

/** A progress bar in the colour of its progress. */
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
