import type { ComponentType, ReactNode } from 'react';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { type LazyComponent, lazyWithMessages } from '../i18n/lazyWithMessages';
import { notFound, type PageEntry, routes } from './routes';

/** The import of every page. Django links the chunk `page-<name>` of the page that it answers with. */
export const imports = {
  crossroad: () => import(/* webpackChunkName: "page-crossroad" */ '../pages/crossroad/CrossroadPage'),
  landing: () => import(/* webpackChunkName: "page-landing" */ '../pages/landing/LandingPage'),
  'landing-sailors': () =>
    import(/* webpackChunkName: "page-landing-sailors" */ '../pages/landing-sailors/LandingSailorsPage'),
  'landing-companies': () =>
    import(
      /* webpackChunkName: "page-landing-companies" */ '../pages/landing-companies/LandingCompaniesPage'
    ),
  newsletter: () => import(/* webpackChunkName: "page-newsletter" */ '../pages/newsletter/NewsletterPage'),
  dashboard: () => import(/* webpackChunkName: "page-dashboard" */ '../pages/dashboard/DashboardPage'),
  notifications: () =>
    import(/* webpackChunkName: "page-notifications" */ '../pages/notifications/NotificationsPage'),
  profile: () => import(/* webpackChunkName: "page-profile" */ '../pages/profile/ProfilePage'),
  marketplace: () =>
    import(/* webpackChunkName: "page-marketplace" */ '../pages/marketplace/MarketplacePage'),
  academy: () => import(/* webpackChunkName: "page-academy" */ '../pages/academy/AcademyPage'),
  events: () => import(/* webpackChunkName: "page-events" */ '../pages/events/EventsPage'),
  'sign-up': () => import(/* webpackChunkName: "page-sign-up" */ '../pages/sign-up/SignUpPage'),
  'sign-in': () => import(/* webpackChunkName: "page-sign-in" */ '../pages/sign-in/SignInPage'),
  'not-found': () => import(/* webpackChunkName: "page-not-found" */ '../pages/not-found/NotFoundPage'),
} satisfies Record<string, () => Promise<{ default: ComponentType }>>;

export type PageName = keyof typeof imports;

/** Renders a page after its children, which use its messages too. */
type LazyPage = LazyComponent<{ children?: ReactNode }>;

/** Load a page with its messages and, for members only, its guard. */
function lazyPage({ page, access, ownLoadState, catalogues }: PageEntry): LazyPage {
  return lazyWithMessages(async () => {
    const [{ default: Page }, guard] = await Promise.all([
      imports[page](),
      access === 'member' ? import(/* webpackChunkName: "require-auth" */ './RequireAuth') : undefined,
      ...catalogues.map((name) => loadCatalogue(name, documentLanguage())),
    ]);
    const content = guard ? (
      <guard.RequireAuth ownLoadState={ownLoadState}>
        <Page />
      </guard.RequireAuth>
    ) : (
      <Page />
    );
    return {
      default: ({ children }) => (
        <MoreMessages of={catalogues}>
          {children}
          {content}
        </MoreMessages>
      ),
    };
  });
}

/** Every page of frontend/routes.json. */
export const pages = Object.fromEntries(
  [...routes, notFound].map((entry) => [entry.page, lazyPage(entry)]),
) as Record<PageName, LazyPage>;
