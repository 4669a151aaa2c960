import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { Picture, type PictureProps } from './Picture';
import * as styles from './PictureFrame.module.css';

interface PictureFrameProps extends Pick<PictureProps, 'files' | 'alt' | 'sizes' | 'lazy'> {
  /** The frame's own: its shape, which is 4 to 3 unless said otherwise. */
  className?: string | undefined;
  /** The picture's: which part of it stays in sight. */
  pictureClassName?: string | undefined;
  /** What lies over the picture. */
  children?: ReactNode;
}

/** A picture that fills its frame, cut to fit; below the first screen unless said otherwise. */
export function PictureFrame({ className, pictureClassName, children, ...picture }: PictureFrameProps) {
  return (
    <div className={clsx(styles.frame, className)}>
      <Picture lazy {...picture} className={clsx(styles.picture, pictureClassName)} />
      {children}
    </div>
  );
}
