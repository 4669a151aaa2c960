import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { NavBar } from './NavBar';
import * as styles from './ProfileLayout.module.css';
import { SkipLink } from './SkipLink';
import { VisitorMenu } from './VisitorMenu';

/** What the member screens share: skip link, navigation bar, content on a light ground, footer (spec section 2). */
export function ProfileLayout({ children }: { children: ReactNode }) {
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
