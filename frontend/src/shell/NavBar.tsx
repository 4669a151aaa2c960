import { type ReactNode, useSyncExternalStore } from 'react';
import { useIntl } from 'react-intl';

import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import { Account, VisitorControls } from './Account';
import type { DisclosureControl } from './Disclosure';
import { HOME } from './menus';
import * as styles from './NavBar.module.css';

interface NavBarProps {
  /** `landing` is above a picture and has no Home link. */
  variant?: 'default' | 'landing';
  /** Without the logo, the bar has no Sign In and Join the Crew on phones either. */
  logo?: boolean;
  /** The menu of visitors on phones; on a landing page that of visitors on all screens, and of members on phones. */
  menu: ReactNode;
  /** Controls a member's phone menu; uncontrolled when left out. */
  phoneMenu?: DisclosureControl | undefined;
}

/** The navigation bar, which darkens past 50 px of scroll (spec section 2, Navigation bar). */
export function NavBar({ variant = 'default', logo = true, menu, phoneMenu }: NavBarProps) {
  const { formatMessage } = useIntl();
  const scrolled = useScrolled();
  const landing = variant === 'landing';

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
        <Account place="bar" phoneMenu={phoneMenu}>
          <VisitorControls home={!landing} />
          {!landing && menu}
        </Account>
        {landing && menu}
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
