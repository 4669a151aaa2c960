import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

import * as styles from './AuthLayout.module.css';
import { Footer } from './Footer';
import { Header } from './Header';
import type { MessageId } from '../i18n/catalogues';
import { SkipLink } from './SkipLink';
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

interface AuthLayoutProps {
  scene?: FormScene | undefined;
  children: ReactNode;
}

/** The layout of pages with a form: skip link, header, the form beside a picture, footer (spec section 2). */
export function AuthLayout({ scene, children }: AuthLayoutProps) {
  return (
    <>
      <SkipLink />
      <div className={clsx(styles.screen, scene?.className)} data-surface="light">
        <Header hasAccount={false} />
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
  const { formatMessage } = useIntl();
  return (
    <aside className={styles.scene} data-surface="dark">
      <Picture
        files={picture}
        portrait={square}
        portraitMedia="(width >= 768px)"
        alt={formatMessage({ id: alt })}
        // Covers a column of the window's height, and on phones a strip, enlarged if it is no strip itself.
        sizes={`(width >= 768px) max(55vw, ${square ? 100 : 178}vh), ${square ? 135 : 180}vw`}
        className={styles.picture}
      />
      <div className={styles.caption}>
        <p className={styles.text}>{formatMessage({ id: text })}</p>
      </div>
      <Wave className={styles.wave} />
    </aside>
  );
}
