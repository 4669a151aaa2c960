import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './Hero.module.css';
import { Picture, type PictureFiles } from './Picture';
import { Wave } from './Wave';

const PHONE = '(orientation: portrait) and (width < 600px)';

interface HeroProps {
  picture: PictureFiles;
  /** The picture for phones in portrait orientation. */
  portrait: PictureFiles;
  alt: string;
  /** The light in the picture, which tints the gradient behind the text. */
  light: 'dawn' | 'day' | 'dusk';
  /** Sets which part of the picture stays visible. */
  pictureClassName?: string | undefined;
  /** A badge or eyebrow above the title. */
  above?: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** One or two buttons. */
  actions: ReactNode;
}

/** The first screen of a landing page, over a picture. */
export function Hero({
  picture,
  portrait,
  alt,
  light,
  pictureClassName,
  above,
  title,
  lead,
  actions,
}: HeroProps) {
  return (
    <div className={clsx(styles.hero, styles[light])} data-surface="dark">
      <div className={styles.scene}>
        <Picture
          files={picture}
          portrait={portrait}
          alt={alt}
          portraitMedia={PHONE}
          // The height determines the width, except in the portrait picture.
          sizes={`${PHONE} 100vw, (orientation: portrait) max(100vw, 111vh), max(112vw, 178vh)`}
          className={clsx(styles.picture, pictureClassName)}
        />
      </div>
      <div className={styles.words}>
        {above}
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>{actions}</div>
      </div>
      <Wave className={styles.wave} />
    </div>
  );
}
