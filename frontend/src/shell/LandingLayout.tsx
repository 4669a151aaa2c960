import type { ReactNode } from 'react';

import { Footer } from './Footer';
import * as styles from './LandingLayout.module.css';
import { NavBar } from './NavBar';
import { OverlayMenu } from './OverlayMenu';
import { SkipLink } from './SkipLink';

/** The layout of the landing pages: skip link, navigation bar with the full-screen menu, content, footer. */
export function LandingLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SkipLink />
      <NavBar variant="landing" menu={<OverlayMenu isCompact />} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
