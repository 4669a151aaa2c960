import { type ComponentType, createElement, type ReactNode } from 'react';

import { type CatalogueName, documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { type LazyComponent, lazyWithPreload } from '../lazy/lazyWithPreload';

/** Renders a page after its children, which use its messages too. */
type LazyPage = LazyComponent<{ children?: ReactNode }>;

/** Load a page with its messages. */
function lazyPage(load: () => Promise<ComponentType>, catalogue: CatalogueName): LazyPage {
  return lazyWithPreload(async () => {
    const [Page] = await Promise.all([load(), loadCatalogue(catalogue, documentLanguage())]);
    return ({ children }) => createElement(MoreMessages, { of: catalogue }, children, createElement(Page));
  });
}

/** Load a page for members only, with its guard. */
function guardedPage(load: () => Promise<ComponentType>, ownLoadState = false): LazyPage {
  return lazyPage(async () => {
    const [Page, { RequireAuth }] = await Promise.all([
      load(),
      import(/* webpackChunkName: "require-auth" */ './RequireAuth'),
    ]);
    return () => createElement(RequireAuth, { ownLoadState, children: createElement(Page) });
  }, 'app');
}

/** Every page of frontend/routes.json. Django links the chunk `page-<name>` of the page that it answers with. */
export const pages = {
  crossroad: lazyPage(
    () =>
      import(/* webpackChunkName: "page-crossroad" */ '../pages/crossroad/CrossroadPage').then(
        (module) => module.CrossroadPage,
      ),
    'crossroad',
  ),
  landing: lazyPage(
    () =>
      import(/* webpackChunkName: "page-landing" */ '../pages/landing/LandingPage').then(
        (module) => module.LandingPage,
      ),
    'landing',
  ),
  'landing-sailors': lazyPage(
    () =>
      import(
        /* webpackChunkName: "page-landing-sailors" */ '../pages/landing-sailors/LandingSailorsPage'
      ).then((module) => module.LandingSailorsPage),
    'landing-sailors',
  ),
  'landing-companies': lazyPage(
    () =>
      import(
        /* webpackChunkName: "page-landing-companies" */ '../pages/landing-companies/LandingCompaniesPage'
      ).then((module) => module.LandingCompaniesPage),
    'landing-companies',
  ),
  newsletter: lazyPage(
    () =>
      import(/* webpackChunkName: "page-newsletter" */ '../pages/newsletter/NewsletterPage').then(
        (module) => module.NewsletterPage,
      ),
    'newsletter',
  ),
  dashboard: guardedPage(() =>
    import(/* webpackChunkName: "page-dashboard" */ '../pages/dashboard/DashboardPage').then(
      (module) => module.DashboardPage,
    ),
  ),
  notifications: guardedPage(() =>
    import(/* webpackChunkName: "page-notifications" */ '../pages/notifications/NotificationsPage').then(
      (module) => module.NotificationsPage,
    ),
  ),
  profile: guardedPage(
    () =>
      import(/* webpackChunkName: "page-profile" */ '../pages/profile/ProfilePage').then(
        (module) => module.ProfilePage,
      ),
    true,
  ),
  marketplace: lazyPage(
    () =>
      import(/* webpackChunkName: "page-marketplace" */ '../pages/marketplace/MarketplacePage').then(
        (module) => module.MarketplacePage,
      ),
    'app',
  ),
  academy: lazyPage(
    () =>
      import(/* webpackChunkName: "page-academy" */ '../pages/academy/AcademyPage').then(
        (module) => module.AcademyPage,
      ),
    'app',
  ),
  events: lazyPage(
    () =>
      import(/* webpackChunkName: "page-events" */ '../pages/events/EventsPage').then(
        (module) => module.EventsPage,
      ),
    'app',
  ),
  'sign-up': lazyPage(
    () =>
      import(/* webpackChunkName: "page-sign-up" */ '../pages/sign-up/SignUpPage').then(
        (module) => module.SignUpPage,
      ),
    'app',
  ),
  'sign-in': lazyPage(
    () =>
      import(/* webpackChunkName: "page-sign-in" */ '../pages/sign-in/SignInPage').then(
        (module) => module.SignInPage,
      ),
    'app',
  ),
  'not-found': lazyPage(
    () =>
      import(/* webpackChunkName: "page-not-found" */ '../pages/not-found/NotFoundPage').then(
        (module) => module.NotFoundPage,
      ),
    'not-found',
  ),
} satisfies Record<string, LazyPage>;

export type PageName = keyof typeof pages;
