import routeTable from '../../routes.json';
import type { CatalogueName, MessageId } from '../i18n/catalogues';
import type { PageName } from './pages';

/** A page of frontend/routes.json and the messages of its head. */
export interface PageEntry {
  page: PageName;
  titleKey: MessageId;
  descriptionKey: MessageId;
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

/**
 * Return the entry of a path, or the one of the not-found page.
 *
 * sailing/pages/routes.py compares in the same way, so that the page fits the status code.
 */
export function getRoute(pathname: string): PageEntry {
  const path = pathname.replace(/\/+$/, '') || '/';
  return routes.find((route) => route.path === path) ?? notFound;
}
