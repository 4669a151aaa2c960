import { clsx } from 'clsx';
import { type ReactNode, useSyncExternalStore } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import { Account, VisitorControls } from './Account';
import type { DropdownControl } from './Dropdown';
import { LanguageSwitch } from './LanguageSwitch';
import { HOME } from './menus';
import * as styles from './SiteHeader.module.css';
import { SkipLink } from './SkipLink';

interface SiteHeaderProps {
  /**
   * `app` and `landing` are the fixed navigation bar; that of a landing page is over a picture and has no Home link. `scene`
   * is over a picture too, and `form` beside one.
   */
  variant: 'app' | 'landing' | 'scene' | 'form';
  /** In `app` the visitors' menu on phones; elsewhere the full-screen menu. */
  menu: ReactNode;
  /** Without the logo, there are no Sign In and Join the Crew on phones either. */
  logo?: boolean;
  /** Controls a member's phone menu. */
  phoneMenu?: DropdownControl;
}

/** The skip link, and the header of a page or its navigation bar, which darkens past 50 px of scroll (spec section 2). */
export function SiteHeader({ variant, menu, logo = true, phoneMenu }: SiteHeaderProps) {
  const t = useT();
  const scrolled = useScrolled();
  const isBar = variant === 'app' || variant === 'landing';

  return (
    <>
      <SkipLink />
      <header
        className={clsx(styles.header, isBar && styles.bar)}
        data-variant={variant}
        data-surface={isBar ? (variant === 'landing' || scrolled ? 'dark' : 'light') : undefined}
        data-scrolled={scrolled}
        data-logo={logo}
      >
        {logo && (
          <Link to={HOME.to} className={clsx('target', styles.home)} aria-label={t('appBar.home')}>
            <Logo />
          </Link>
        )}
        <div className={styles.controls}>
          {variant === 'form' ? (
            <LanguageSwitch />
          ) : (
            <Account place={isBar ? 'bar' : 'header'} phoneMenu={phoneMenu}>
              <VisitorControls home={variant === 'app'} />
              {variant === 'app' && menu}
            </Account>
          )}
          {variant !== 'app' && menu}
        </div>
      </header>
    </>
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
