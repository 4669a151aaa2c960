import type { MenuItem } from './menus';

export const HOME: MenuItem = { label: 'navigation.home', to: '/' };
export const SIGN_IN: MenuItem = { label: 'navigation.signIn', to: '/signin' };
export const JOIN: MenuItem = { label: 'navigation.joinTheCrew', to: '/signup' };
