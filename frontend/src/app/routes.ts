import type { ComponentType, ReactNode } from 'react';

import routeTable from '../../routes.json';
import type { CatalogueName } from '../i18n/catalogues';
import type { FormScene } from '../shell/AuthLayout';
import { lazyModule } from '../lib/lazy';
import type { MenuItem } from '../shell/menus';

/** What a page may give to its layout. */
interface LayoutData {
  /** The items of the full-screen menu, where they are not the usual ones. */
  menu?: readonly MenuItem[];
  /** The picture beside a form. */
  scene?: FormScene;
}

/** What the module of a page exports. */
interface PageModule extends LayoutData {
  default: ComponentType;
  /** Pages of the same layout share its header and footer, which stay when one follows the other. */
  Layout: ComponentType<LayoutData & { children: ReactNode }>;
}

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
} satisfies Record<string, () => Promise<PageModule>>;

type PageName = keyof typeof imports;

/** A page of frontend/routes.json and the messages of its head. */
export interface PageEntry {
  page: PageName;
  /** The start of the ids of its messages: with `Title` and with `Description`. */
  head: string;
  path?: string;
  /** Who may see it. */
  access: 'public' | 'member';
  /** Whether the page has loading and failure states of its own (spec section 2, Profile). */
  ownLoadState?: boolean;
  /** Whether search engines index it; the app pages, by default, are noindex. */
  isPublic?: boolean;
  /** Its messages beyond the shared ones. */
  catalogues: readonly CatalogueName[];
  /** The chunks that it needs at once, besides its own. */
  chunks?: readonly string[];
  /** The values of `?source=` that change the page. It is prerendered with each of them too. */
  sources?: readonly string[];
  /** The unknown paths that the not-found page helps with (pages/not-found/help.tsx). It is prerendered for each. */
  helpPaths?: readonly string[];
}

export interface Route extends PageEntry {
  path: string;
}

// TypeScript widens the strings of a JSON file; routes.test.ts checks them.
export const routes = routeTable.routes as Route[];
export const notFound = routeTable.notFound as PageEntry;

/** Load a page with its messages and, for members only, its guard. */
function createLazyPage({ page, access, catalogues }: PageEntry) {
  return lazyModule(async () => {
    const [module, guard] = await Promise.all([
      imports[page]() as Promise<PageModule>,
      access === 'member' ? import(/* webpackChunkName: "require-auth" */ './RequireAuth') : undefined,
    ]);
    return { ...module, Guard: guard?.RequireAuth };
  }, catalogues);
}

type LazyPage = ReturnType<typeof createLazyPage>;

/** Every page of frontend/routes.json. */
export const pages = Object.fromEntries(
  [...routes, notFound].map((entry) => [entry.page, createLazyPage(entry)]),
) as Record<PageName, LazyPage>;

/**
 * Return the entry of a path, or the one of the not-found page.
 *
 * sailing/web/pages/frontend.py compares in the same way, so that the page fits the status code.
 */
export function getRoute(pathname: string): PageEntry {
  const path = pathname.replace(/\/+$/, '') || '/';
  return routes.find((route) => route.path === path) ?? notFound;
}

/** Return the page of a path. */
export function getPage(pathname: string): LazyPage {
  return pages[getRoute(pathname).page];
}
