import type { ReactNode } from 'react';

import { Footer } from './Footer';
import type { MenuItem } from './menus';
import { OverlayMenu } from './OverlayMenu';
import * as styles from './SceneLayout.module.css';
import { SiteHeader } from './SiteHeader';

interface SceneLayoutProps {
  menu?: readonly MenuItem[] | undefined;
  children: ReactNode;
}

/** The layout of a page over a picture, which fills the first screen: header, content, footer. */
export function SceneLayout({ menu, children }: SceneLayoutProps) {
  return (
    <>
      <div className={styles.screen} data-surface="dark">
        <SiteHeader variant="scene" menu={<OverlayMenu items={menu} />} />
        <main id="content" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Footer />
    </>
  );
}
