import { HOME, type MenuItem } from './menus';

export const NOTIFICATIONS: MenuItem = { label: 'memberBar.notifications', to: '/notifications' };

const PROFILE: MenuItem = { label: 'memberBar.profile', to: '/profile' };

const SCREENS: readonly MenuItem[] = [
  { label: 'memberBar.dashboard', to: '/dashboard' },
  { label: 'memberBar.marketplace', to: '/marketplace' },
  { label: 'memberBar.academy', to: '/academy' },
  { label: 'memberBar.events', to: '/events' },
];

/** The menus of a signed-in member without Sign Out (spec section 2, Navigation bar). */
export const BAR: readonly MenuItem[] = [HOME, ...SCREENS];
export const USER_MENU: readonly MenuItem[] = [...SCREENS, PROFILE, NOTIFICATIONS];
export const PHONE_MENU: readonly MenuItem[] = [HOME, ...SCREENS, PROFILE];
