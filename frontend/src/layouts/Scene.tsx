import { clsx } from 'clsx';

import { Picture, type PictureFiles } from '../ui/Picture';
import { Wave } from '../ui/Wave';
import * as styles from './Scene.module.css';

interface SceneProps {
  /** A picture for the strip above a form. */
  picture: PictureFiles;
  /** A square picture for windows of two columns, from 768 px; by default `picture`. */
  square?: PictureFiles;
  alt: string;
  /** Text over the picture, from 768 px. */
  line: string;
  /** Sets the custom properties of Scene.module.css. */
  className?: string | undefined;
}

/** A picture beside the content of a page (PageShell), with a line of text. */
export function Scene({ picture, square, alt, line, className }: SceneProps) {
  return (
    <aside className={clsx(styles.scene, className)} data-surface="dark">
      <Picture
        files={picture}
        portrait={square}
        portraitMedia="(width >= 768px)"
        alt={alt}
        // Covers a column of the window's height, and on phones a strip, enlarged if it is no strip itself.
        sizes={`(width >= 768px) max(55vw, ${square ? 100 : 178}vh), ${square ? 135 : 180}vw`}
        className={styles.picture}
      />
      <div className={styles.caption}>
        <p className={styles.line}>{line}</p>
      </div>
      <Wave className={styles.wave} />
    </aside>
  );
}
