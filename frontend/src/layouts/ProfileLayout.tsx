import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { NavBar } from '../menus/NavBar';
import * as styles from './ProfileLayout.module.css';
import { SkipLink } from './SkipLink';
import { VisitorMenu } from '../menus/VisitorMenu';

// Constant elements, which React skips when a page renders at every key press in a search field.
const HEADER = (
  <>
    <SkipLink />
    <NavBar menu={<VisitorMenu />} />
  </>
);
const FOOTER = <Footer />;

/** The layout of the app pages: skip link, navigation bar, content, footer (spec section 2). */
export function ProfileLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      {HEADER}
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {FOOTER}
    </div>
  );
}
