import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { Header } from './Header';
import type { MenuItem } from './menus';
import * as styles from './SceneLayout.module.css';
import { SkipLink } from './SkipLink';

interface SceneLayoutProps {
  menu?: readonly MenuItem[] | undefined;
  children: ReactNode;
}

/** The layout of a page over a picture, which fills the first screen: skip link, header, content, footer. */
export function SceneLayout({ menu, children }: SceneLayoutProps) {
  return (
    <>
      <SkipLink />
      <div className={styles.screen} data-surface="dark">
        <Header menu={menu} hasAccount />
        <main id="content" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Footer />
    </>
  );
}
