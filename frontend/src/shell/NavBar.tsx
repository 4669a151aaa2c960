import { type ReactNode, Suspense, useEffect } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { OptionalBoundary } from '../lazy/OptionalBoundary';
import { useAuth } from '../session/AuthProvider';
import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import { HOME } from './destinations';
import { LazyMemberControls, type MemberBar, MemberBarContext } from './memberBar';
import * as styles from './NavBar.module.css';
import { useScrolled } from './useScrolled';
import { VisitorControls } from './VisitorControls';

interface NavBarProps extends MemberBar {
  /** `landing` lies on a picture, and leaves Home to the logo. */
  variant?: 'default' | 'landing';
  /** Without it, a phone's bar has no Sign In and Join the Crew either. */
  logo?: boolean;
  /** The menu of a visitor on a phone; on a landing page everyone's, everywhere. */
  menu: ReactNode;
}

/** The bar at the top of a page, which darkens past 50 px of scroll (spec section 2, Navigation bar). */
export function NavBar({ variant = 'default', logo = true, menu, ...memberBar }: NavBarProps) {
  const { formatMessage } = useIntl();
  const { isAuthenticated, status } = useAuth();
  const { key } = useLocation();
  const scrolled = useScrolled();
  const landing = variant === 'landing';
  const visitorControls = <VisitorControls home={!landing} />;

  // In parallel with the member's data. A failed load is tried again on each page.
  useEffect(() => {
    if (status !== 'signed-out') LazyMemberControls.preload().catch(() => undefined);
  }, [status, key]);

  return (
    <header
      className={styles.bar}
      data-surface={landing || scrolled ? 'dark' : 'light'}
      data-scrolled={scrolled}
      data-logo={logo}
    >
      {logo && (
        <Link to={HOME.to} className={styles.home} aria-label={formatMessage({ id: 'appBar.home' })}>
          <Logo />
        </Link>
      )}
      <div className={styles.controls}>
        {isAuthenticated ? (
          <MemberBarContext value={memberBar}>
            <OptionalBoundary
              resetKey={key}
              fallback={
                <>
                  {visitorControls}
                  {!landing && menu}
                </>
              }
            >
              <Suspense fallback={visitorControls}>
                <LazyMemberControls />
              </Suspense>
            </OptionalBoundary>
          </MemberBarContext>
        ) : (
          visitorControls
        )}
        {(landing || !isAuthenticated) && menu}
      </div>
    </header>
  );
}
