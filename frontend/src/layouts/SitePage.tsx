import type { ReactNode } from 'react';

import { Footer } from './Footer';
import type { MenuItem } from '../menus/menus';
import { NavBar } from '../menus/NavBar';
import { OverlayMenu } from '../menus/OverlayMenu';
import * as styles from './SitePage.module.css';
import { SkipLink } from './SkipLink';

interface SitePageProps {
  menu: readonly MenuItem[];
  children: ReactNode;
}

/** The layout of the landing pages: skip link, navigation bar with the full-screen menu, content, footer. */
export function SitePage({ menu, children }: SitePageProps) {
  return (
    <div className={styles.page}>
      <SkipLink />
      <NavBar variant="landing" menu={<OverlayMenu items={menu} isCompact />} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
