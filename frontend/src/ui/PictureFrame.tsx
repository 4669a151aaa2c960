import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { Picture, type PictureProps } from './Picture';
import * as styles from './PictureFrame.module.css';

interface PictureFrameProps extends Pick<PictureProps, 'files' | 'alt' | 'sizes' | 'lazy'> {
  /** Sets the aspect ratio, 4:3 by default. */
  className?: string | undefined;
  /** Sets which part of the picture stays visible. */
  pictureClassName?: string | undefined;
  /** Shown over the picture. */
  children?: ReactNode;
}

/** A picture cropped to fill its frame. */
export function PictureFrame({ className, pictureClassName, children, ...picture }: PictureFrameProps) {
  return (
    <div className={clsx(styles.frame, className)}>
      <Picture lazy {...picture} className={clsx(styles.picture, pictureClassName)} />
      {children}
    </div>
  );
}
