import { type MouseEvent, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

import { useT } from '../i18n/LanguageProvider';
import { track } from '../consent/track';
import type { MessageId } from '../i18n/catalogues';
import { Link } from '../ui/Link';

export interface MenuItem {
  label: MessageId;
  to: string;
  /** Shown in place of the label. */
  content?: ReactNode;
}

export const HOME: MenuItem = { label: 'navigation.home', to: '/' };
export const SIGN_IN: MenuItem = { label: 'navigation.signIn', to: '/signin' };
export const JOIN: MenuItem = { label: 'navigation.joinTheCrew', to: '/signup' };
export const DASHBOARD: MenuItem = { label: 'navigation.dashboard', to: '/dashboard' };

/** The app pages that need no sign-in. */
export const OPEN_SCREENS: readonly MenuItem[] = [
  { label: 'navigation.marketplace', to: '/marketplace' },
  { label: 'navigation.academy', to: '/academy' },
  { label: 'navigation.events', to: '/events' },
];

/** The menu of most public pages (spec section 2, Crossroad). */
export const AUDIENCE_MENU: readonly MenuItem[] = [
  { label: 'navigation.sailors', to: '/landing-sailors' },
  { label: 'navigation.companies', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'navigation.contactUs', to: '/contact' },
];

interface MenuLinkProps {
  item: MenuItem;
  /** The class of the list item. */
  className?: string | undefined;
  linkClassName?: string | undefined;
}

/** A menu item in a list. */
export function MenuLink({ item, className, linkClassName }: MenuLinkProps) {
  const t = useT();
  return (
    <li className={className}>
      <Link to={item.to} className={linkClassName}>
        {item.content ?? t(item.label)}
      </Link>
    </li>
  );
}

/**
 * Close a menu on navigation, and when an item is chosen: a link or button of its lists.
 *
 * @returns the handler of clicks in the menu, and a function that records that it has opened or closed otherwise
 */
export function useMenu(menu: 'overlay' | 'phone' | 'user', close: () => void) {
  const { key } = useLocation();
  const leave = useEffectEvent(close);
  const isChosen = useRef(false);

  // In a layout effect: the menu returns the focus to its button before the new page takes it.
  useLayoutEffect(() => () => leave(), [key]);

  function choose({ target }: MouseEvent) {
    const chosen = target instanceof Element && target.closest('li :is(a, button)');
    if (!chosen) return;
    const item = chosen.getAttribute('href');
    isChosen.current = true;
    track('menu_interaction', { menu, action: 'choose', ...(item && { item }) });
    close();
  }
  function report(action: 'open' | 'close') {
    if (action === 'open' || !isChosen.current) track('menu_interaction', { menu, action });
    isChosen.current = false;
  }
  return { choose, report };
}
