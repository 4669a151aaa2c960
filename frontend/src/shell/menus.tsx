import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../i18n/catalogues';
import { Link } from '../ui/Link';

export interface MenuItem {
  label: MessageId;
  to: string;
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
  /** Shown in place of the label. */
  children?: ReactNode;
}

/** A menu item in a list. */
export function MenuLink({ item, className, linkClassName, children }: MenuLinkProps) {
  return (
    <li className={className}>
      <Link to={item.to} className={linkClassName}>
        {children ?? <FormattedMessage id={item.label} />}
      </Link>
    </li>
  );
}
