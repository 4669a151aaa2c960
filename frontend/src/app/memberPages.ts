import type { ComponentType } from 'react';

export { loadMemberGroup } from '../i18n/memberGroups';

/** The pages for members or on the way there; Django links the chunk `page-<name>` of the page it answers with. */
export const memberPages = {
  dashboard: async () => {
    const module = await import(/* webpackChunkName: "page-dashboard" */ '../pages/dashboard/DashboardPage');
    return module.DashboardPage;
  },
  notifications: async () => {
    const module = await import(
      /* webpackChunkName: "page-notifications" */ '../pages/notifications/NotificationsPage'
    );
    return module.NotificationsPage;
  },
  marketplace: async () => {
    const module = await import(
      /* webpackChunkName: "page-marketplace" */ '../pages/marketplace/MarketplacePage'
    );
    return module.MarketplacePage;
  },
  academy: async () => {
    const module = await import(/* webpackChunkName: "page-academy" */ '../pages/academy/AcademyPage');
    return module.AcademyPage;
  },
  events: async () => {
    const module = await import(/* webpackChunkName: "page-events" */ '../pages/events/EventsPage');
    return module.EventsPage;
  },
  'sign-up': async () => {
    const module = await import(/* webpackChunkName: "page-sign-up" */ '../pages/sign-up/SignUpPage');
    return module.SignUpPage;
  },
  'sign-in': async () => {
    const module = await import(/* webpackChunkName: "page-sign-in" */ '../pages/sign-in/SignInPage');
    return module.SignInPage;
  },
  profile: async () => {
    const module = await import(/* webpackChunkName: "page-profile" */ '../pages/profile/ProfilePage');
    return module.ProfilePage;
  },
} satisfies Record<string, () => Promise<ComponentType>>;

export type MemberPageName = keyof typeof memberPages;
