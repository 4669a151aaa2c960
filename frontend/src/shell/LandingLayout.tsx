import type { ReactNode } from 'react';

import { Footer } from './Footer';
import { OverlayMenu } from './OverlayMenu';
import { SiteHeader } from './SiteHeader';

/** The layout of the landing pages: navigation bar with the full-screen menu, content, footer. */
export function LandingLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader variant="landing" menu={<OverlayMenu />} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  );
}
