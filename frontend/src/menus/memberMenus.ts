import { DASHBOARD, HOME, type MenuItem, OPEN_SCREENS } from './menus';

export const NOTIFICATIONS: MenuItem = { label: 'memberBar.notifications', to: '/notifications' };

const PROFILE: MenuItem = { label: 'memberBar.profile', to: '/profile' };

const SCREENS: readonly MenuItem[] = [DASHBOARD, ...OPEN_SCREENS];

/** The menus of a signed-in member without Sign Out (spec section 2, Navigation bar). */
export const BAR: readonly MenuItem[] = [HOME, ...SCREENS];
export const USER_MENU: readonly MenuItem[] = [...SCREENS, PROFILE, NOTIFICATIONS];
export const PHONE_MENU: readonly MenuItem[] = [HOME, ...SCREENS, PROFILE];

/** The foot of the full-screen menu, without Sign Out. */
export const OVERLAY_FOOT: readonly MenuItem[] = [DASHBOARD, NOTIFICATIONS, PROFILE];
