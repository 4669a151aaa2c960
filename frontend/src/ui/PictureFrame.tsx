import { clsx } from 'clsx';

import { Picture, type PictureProps } from './Picture';
import * as styles from './PictureFrame.module.css';

interface PictureFrameProps extends Pick<PictureProps, 'files' | 'alt' | 'sizes'> {
  /** The frame's own: its shape, which is 4 to 3 unless said otherwise. */
  className?: string | undefined;
  /** The picture's: which part of it stays in sight. */
  pictureClassName?: string | undefined;
}

/** A picture below the first screen that fills its frame, cut to fit. */
export function PictureFrame({ className, pictureClassName, ...picture }: PictureFrameProps) {
  return (
    <div className={clsx(styles.frame, className)}>
      <Picture {...picture} lazy className={clsx(styles.picture, pictureClassName)} />
    </div>
  );
}
