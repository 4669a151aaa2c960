import type { ReactNode } from 'react';

import * as styles from './AppLayout.module.css';
import { Footer } from './Footer';
import { NavBar } from './NavBar';
import { SkipLink } from './SkipLink';
import { VisitorMenu } from './PhoneMenu';

/** The layout of the app pages: skip link, navigation bar, content, footer (spec section 2). */
export function AppLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SkipLink />
      <NavBar menu={<VisitorMenu />} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
