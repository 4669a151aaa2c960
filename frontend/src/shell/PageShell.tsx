import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { Header } from './Header';
import type { MenuItem } from './menus';
import * as styles from './PageShell.module.css';
import { SkipLink } from './SkipLink';

interface PageShellProps {
  menu: readonly MenuItem[];
  /** The picture of the page: it fills the window under everything, or stands beside the rest. */
  scene: ReactNode;
  layout: 'under' | 'beside';
  children: ReactNode;
}

/** What the pages without a navigation bar share: skip link, header, picture, content, footer. */
export function PageShell({ menu, scene, layout, children }: PageShellProps) {
  return (
    <div className={clsx(styles.shell, styles[layout])} data-surface={layout === 'under' ? 'dark' : 'light'}>
      <SkipLink />
      <Header menu={menu} />
      <div className={styles.scene}>{scene}</div>
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
