import routeTable from '../../routes.json';
import type { MessageId } from '../i18n/catalogues';
import type { PageName } from './pages';

/** A page and how its head reads, as frontend/routes.json says it. */
export interface PageEntry {
  page: PageName;
  titleKey: MessageId;
  descriptionKey: MessageId;
  path?: string;
  /** Whom it is for; everyone when it does not say. */
  access?: 'public' | 'member';
  /** Whether the page is rendered at build time; only one that is the same for every visitor can be. */
  prerendered?: boolean;
  /** The values of `?source=` with which a page differs, and is rendered at build time once more each. */
  sources?: readonly string[];
}

export interface Route extends PageEntry {
  path: string;
  prerendered: boolean;
}

// TypeScript reads a JSON file's strings as plain strings; routes.test.ts holds the table to these types.
export const routes = routeTable.routes as Route[];
export const notFound = routeTable.notFound as PageEntry;

/**
 * The entry of a path: its route's, or the not-found page's.
 *
 * The table is flat, and the server compares in this same way (sailing/pages/routes.py): a visitor gets the
 * page that the status code spoke of.
 */
export function entryOf(pathname: string): PageEntry {
  const path = pathname.replace(/\/+$/, '') || '/';
  return routes.find((route) => route.path === path) ?? notFound;
}
