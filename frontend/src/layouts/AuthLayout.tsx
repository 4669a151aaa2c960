import type { ReactNode } from 'react';

import * as styles from './AuthLayout.module.css';
import { AUDIENCE_MENU } from '../menus/menus';
import { PageShell } from './PageShell';

interface AuthLayoutProps {
  /** The picture beside the form. */
  scene: ReactNode;
  children: ReactNode;
}

/** The layout of sign-up and sign-in (spec section 2): header, content beside a picture, footer. */
export function AuthLayout({ scene, children }: AuthLayoutProps) {
  return (
    <PageShell menu={AUDIENCE_MENU} layout="beside" scene={scene}>
      <div className={styles.column}>{children}</div>
    </PageShell>
  );
}
