import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { Card } from './Card';
import * as styles from './MediaCard.module.css';
import type { DescribedPicture } from './Picture';
import { PictureFrame } from './PictureFrame';

interface MediaCardProps extends ComponentProps<typeof Card> {
  picture: DescribedPicture;
  sizes: string;
  lazy?: boolean;
  /** Shown over the picture. */
  overlay?: ReactNode;
}

/** A card led by a picture. */
export function MediaCard({
  picture,
  sizes,
  lazy = true,
  overlay,
  className,
  children,
  ...card
}: MediaCardProps) {
  return (
    <Card {...card} className={clsx(styles.card, className)}>
      <PictureFrame
        files={picture}
        alt={picture.alt}
        sizes={sizes}
        lazy={lazy}
        className={styles.frame}
        pictureClassName={styles.picture}
      >
        {overlay && <div className={clsx('wrap', styles.overlay)}>{overlay}</div>}
      </PictureFrame>
      <div className={styles.body}>{children}</div>
    </Card>
  );
}
