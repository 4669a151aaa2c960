import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { ErrorBoundary } from '../lazy/ErrorBoundary';
import { useAuth } from '../session/AuthProvider';
import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import type { DisclosureControl } from './Disclosure';
import { LazyMemberControls, PhoneMenuControl } from './memberBar';
import { HOME } from './menus';
import * as styles from './NavBar.module.css';
import { VisitorControls } from './VisitorControls';

interface NavBarProps {
  /** `landing` is above a picture and has no Home link. */
  variant?: 'default' | 'landing';
  /** Without the logo, the bar has no Sign In and Join the Crew on phones either. */
  logo?: boolean;
  /** The menu of visitors on phones; on a landing page everyone's on all screens. */
  menu: ReactNode;
  /** Controls a member's phone menu; uncontrolled when left out. */
  phoneMenu?: DisclosureControl | undefined;
}

/** The navigation bar, which darkens past 50 px of scroll (spec section 2, Navigation bar). */
export function NavBar({ variant = 'default', logo = true, menu, phoneMenu }: NavBarProps) {
  const { formatMessage } = useIntl();
  const { isAuthenticated, status } = useAuth();
  const { key } = useLocation();
  const scrolled = useScrolled();
  const landing = variant === 'landing';
  const visitorControls = <VisitorControls home={!landing} />;

  // Load in parallel with the member, and try again on each page.
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
          <PhoneMenuControl value={phoneMenu}>
            <ErrorBoundary
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
            </ErrorBoundary>
          </PhoneMenuControl>
        ) : (
          visitorControls
        )}
        {(landing || !isAuthenticated) && menu}
      </div>
    </header>
  );
}

/** When the bar darkens (spec section 9). */
const DARKENING_THRESHOLD_PX = 50;

function subscribeToScroll(onScroll: () => void) {
  window.addEventListener('scroll', onScroll, { passive: true });
  return () => window.removeEventListener('scroll', onScroll);
}

// Reading scrollY forces a layout, so the function stays the same and React calls it on scroll, not on every render.
const isScrolled = () => window.scrollY > DARKENING_THRESHOLD_PX;
const isAtTop = () => false;

/** Return whether the page is scrolled past 50 px. */
function useScrolled(): boolean {
  return useSyncExternalStore(subscribeToScroll, isScrolled, isAtTop);
}
