import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import * as styles from './Hero.module.css';
import { Picture, type PictureFiles } from './Picture';
import { Wave } from './Wave';

const PHONE = '(orientation: portrait) and (width < 600px)';

interface HeroProps {
  picture: PictureFiles;
  /** The cut for phones held upright. */
  portrait: PictureFiles;
  alt: string;
  /** Where the picture's subject stays in sight. */
  pictureClassName?: string | undefined;
  /** The badge or eyebrow above the title, if any. */
  above?: ReactNode;
  /** The page's name for itself, in two lines. */
  title: ReactNode;
  lead: ReactNode;
  /** What to do next: one or two buttons. */
  actions: ReactNode;
}

/** The first screen of a page: a picture from edge to edge, words where its water is dark, a wave to the page below. */
export function Hero({ picture, portrait, alt, pictureClassName, above, title, lead, actions }: HeroProps) {
  return (
    <div className={styles.hero} data-surface="dark">
      <div className={styles.scene}>
        <Picture
          files={picture}
          portrait={portrait}
          alt={alt}
          portraitMedia={PHONE}
          // As wide as its height makes it; the cut is as wide as the window.
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
