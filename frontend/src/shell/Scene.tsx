import { clsx } from 'clsx';

import { Picture, type PictureFiles } from '../ui/Picture';
import { Wave } from '../ui/Wave';
import * as styles from './Scene.module.css';

interface SceneProps {
  picture: PictureFiles;
  alt: string;
  /** A line of copy, where the water is dark. */
  line: string;
  /** Says which part of the picture stays in sight. */
  className?: string | undefined;
}

/** The picture of a page that stands beside its content (PageShell), with a line of copy. */
export function Scene({ picture, alt, line, className }: SceneProps) {
  return (
    <aside className={styles.scene} data-surface="dark">
      <Picture
        files={picture}
        alt={alt}
        sizes="(width >= 1024px) max(55vw, 178vh), max(100vw, 54vh)"
        className={clsx(styles.picture, className)}
      />
      <p className={styles.line}>{line}</p>
      <Wave className={styles.wave} />
    </aside>
  );
}
