import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import { Footer } from './Footer';
import { Header } from './Header';
import type { MenuItem } from './menus';
import * as styles from './SitePage.module.css';

interface SitePageProps {
  menu: readonly MenuItem[];
  children: ReactNode;
}

/** What the landing pages share: skip link, the fixed bar, content, footer. */
export function SitePage({ menu, children }: SitePageProps) {
  return (
    <div className={styles.page}>
      <a className={styles.skip} href="#content">
        <FormattedMessage id="appBar.skipToContent" />
      </a>
      <Header menu={menu} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
