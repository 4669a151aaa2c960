import { matchPath } from 'react-router-dom';

import routeTable from '../../routes.json';
import type { MessageId } from '../language/catalogues';
import type { PageName } from './pages';

/** A page and how its head reads, as frontend/routes.json says it. */
export interface PageEntry {
  page: PageName;
  titleKey: MessageId;
  descriptionKey: MessageId;
}

export interface Route extends PageEntry {
  path: string;
}

// TypeScript reads a JSON file's strings as plain strings; routes.test.ts holds the table to these types.
export const routes = routeTable.routes as Route[];
export const notFound = routeTable.notFound as PageEntry;

/** The entry of a path: its route's, or the not-found page's. Django decides in the same way (spec section 2). */
export function entryOf(pathname: string): PageEntry {
  return routes.find(({ path }) => matchPath({ path, caseSensitive: true }, pathname)) ?? notFound;
}
