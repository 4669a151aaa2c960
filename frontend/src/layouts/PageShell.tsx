import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { Header } from './Header';
import type { MenuItem } from '../menus/menus';
import * as styles from './PageShell.module.css';
import { SkipLink } from './SkipLink';

interface PageShellProps {
  menu: readonly MenuItem[];
  /** The picture of the page. */
  scene: ReactNode;
  /** Whether the picture is under the whole page, or beside the content. */
  layout: 'under' | 'beside';
  children: ReactNode;
}

/** The layout of pages without a navigation bar: skip link, header, picture, content, footer. */
export function PageShell({ menu, scene, layout, children }: PageShellProps) {
  return (
    <>
      <SkipLink />
      <div
        className={clsx(styles.screen, styles[layout])}
        data-surface={layout === 'under' ? 'dark' : 'light'}
      >
        <Header menu={menu} hasAccount={layout === 'under'} />
        <div className={styles.scene}>{scene}</div>
        <main id="content" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Footer />
    </>
  );
}
