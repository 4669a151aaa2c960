import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { NavBar } from './NavBar';
import * as styles from './ProfileLayout.module.css';
import { SkipLink } from './SkipLink';
import { VisitorMenu } from './VisitorMenu';

// React passes over what is the same element as before: a page renders anew at every key in its search field.
const ABOVE = (
  <>
    <SkipLink />
    <NavBar menu={<VisitorMenu />} />
  </>
);
const BELOW = <Footer />;

/** What the member screens share: skip link, navigation bar, content on a light ground, footer (spec section 2). */
export function ProfileLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      {ABOVE}
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {BELOW}
    </div>
  );
}
