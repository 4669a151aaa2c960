import type { ReactNode } from 'react';

import { Badge } from './Badge';
import * as styles from './Hero.module.css';
import { Picture, type PictureFiles } from './Picture';
import { Wave } from './Wave';

interface HeroProps {
  picture: PictureFiles;
  /** The picture for portrait windows. */
  portrait: PictureFiles;
  alt: string;
  /** The light in the picture, which tints the gradient behind the text. */
  light: 'dawn' | 'day' | 'dusk';
  /** The text of the badge above the title. */
  badge: ReactNode;
  title: ReactNode;
  lead: ReactNode;
  /** One or two buttons. */
  actions: ReactNode;
}

/** The first screen of a landing page, over a picture. */
export function Hero({ picture, portrait, alt, light, badge, title, lead, actions }: HeroProps) {
  return (
    <div className={styles.hero} data-surface="dark" data-light={light}>
      <div className={styles.scene}>
        <Picture
          files={picture}
          portrait={portrait}
          alt={alt}
          sizes="(width < 1024px) max(100vw, 62vh), max(100vw, 178vh)"
          className={styles.picture}
        />
      </div>
      <div className={styles.content}>
        <Badge>{badge}</Badge>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>{actions}</div>
      </div>
      <Wave className={styles.wave} />
    </div>
  );
}
