import type { MessageId } from '../i18n/catalogues';

/** One line of a menu. */
export interface MenuItem {
  label: MessageId;
  to: string;
}

/** The menu of the crossroad and of the pages that follow it (spec section 2, Crossroad). */
export const AUDIENCE_MENU: readonly MenuItem[] = [
  { label: 'navigation.sailors', to: '/landing-sailors' },
  { label: 'navigation.companies', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'navigation.contactUs', to: '/contact' },
];

/** The menu of the 404 page (spec section 2, 404). */
export const LOST_MENU: readonly MenuItem[] = [
  { label: 'navigation.sailorRegistration', to: '/landing-sailors' },
  { label: 'navigation.companyRegistration', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'navigation.contact', to: '/contact' },
];
