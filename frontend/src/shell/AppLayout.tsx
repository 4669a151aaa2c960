import type { ReactNode } from 'react';

import * as styles from './AppLayout.module.css';
import { VisitorMenu } from './Dropdown';
import { Footer } from './Footer';
import { SiteHeader } from './SiteHeader';

/** The layout of the app pages: navigation bar, content, footer (spec section 2). */
export function AppLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SiteHeader variant="app" menu={<VisitorMenu />} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
