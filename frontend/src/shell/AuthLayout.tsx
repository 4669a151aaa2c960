import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import type { MessageId } from '../i18n/catalogues';
import { useT } from '../i18n/LanguageProvider';
import * as styles from './AuthLayout.module.css';
import { Footer } from './Footer';
import { OverlayMenu } from './OverlayMenu';
import { SiteHeader } from './SiteHeader';
import { Picture, type PictureFiles } from '../ui/Picture';
import { Wave } from '../ui/Wave';

/** The picture beside a form, with a line of text over it. */
export interface FormScene {
  /** A picture for the strip above the form. */
  picture: PictureFiles;
  /** A square picture for windows of two columns, from 768 px; by default `picture`. */
  square?: PictureFiles;
  alt: MessageId;
  /** Shown from 768 px. */
  text: MessageId;
  /** Sets the custom properties of AuthLayout.module.css. */
  className: string | undefined;
}

/** The layout of pages with a form: header, the form beside a picture, footer (spec section 2). */
export function AuthLayout({ scene, children }: { scene?: FormScene; children: ReactNode }) {
  return (
    <>
      <div className={clsx(styles.screen, scene?.className)} data-surface="light">
        <SiteHeader variant="form" menu={<OverlayMenu />} />
        {scene && <Scene key={scene.text} {...scene} />}
        <main id="content" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Footer />
    </>
  );
}

function Scene({ picture, square, alt, text }: FormScene) {
  const t = useT();
  return (
    <aside className={styles.scene} data-surface="dark">
      <Picture
        files={picture}
        portrait={square}
        portraitMedia="(width >= 768px)"
        alt={t(alt)}
        // Covers a column of the window's height, and on phones a strip, enlarged if it is no strip itself.
        sizes={`(width >= 768px) max(55vw, ${square ? 100 : 178}vh), ${square ? 135 : 180}vw`}
        className={styles.picture}
      />
      <div className={styles.caption}>
        <p className={styles.text}>{t(text)}</p>
      </div>
      <Wave className={styles.wave} />
    </aside>
  );
}
