import type { ReactNode } from 'react';

import cover from '@media/cover.avif?picture';
import { Avatar } from './Avatar';
import { Card } from './Card';
import * as styles from './CoverHeader.module.css';
import { PictureFrame } from './PictureFrame';
import { Wave } from './Wave';

interface CoverHeaderProps {
  name: string;
  /** The head of a page, or a narrow card. */
  size: 'large' | 'small';
  /** The name and what belongs to it. */
  children: ReactNode;
}

/** A person: a picture of the sea, and the avatar that overlaps it. */
export function CoverHeader({ name, size, children }: CoverHeaderProps) {
  const isLarge = size === 'large';
  return (
    <Card className={styles.card} data-size={size}>
      <PictureFrame
        files={cover}
        alt=""
        sizes={isLarge ? '(width >= 1440px) 84rem, max(100vw, 40rem)' : '40rem'}
        lazy={!isLarge}
        className={styles.water}
        pictureClassName={styles.picture}
      >
        <Wave className={styles.wave} />
      </PictureFrame>
      <div className={styles.person}>
        <div className={styles.avatar}>
          <Avatar name={name} size={size} />
        </div>
        {children}
      </div>
    </Card>
  );
}
