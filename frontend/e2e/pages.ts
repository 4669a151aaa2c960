import { readdirSync, readFileSync } from 'node:fs';

import routeTable from '../routes.json' with { type: 'json' };
import type { Language } from './site';

/** All routes, with an unknown path for the 404 page. */
export const ROUTES = [...routeTable.routes, { ...routeTable.notFound, path: '/no-such-port' }];

/** The pages that search engines may index, and the 404 page. */
export const PAGES = ROUTES.filter(({ isPublic }) => isPublic);

/** The paths for which the 404 page has help of its own. */
export const HELP_PATHS = routeTable.notFound.helpPaths;

/** Return all messages of a language by id. */
export function readMessages(language: Language): Record<string, string> {
  const folder = new URL(`../src/i18n/messages/${language}/`, import.meta.url);
  const catalogues = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  return Object.assign({}, ...catalogues.map((json) => JSON.parse(json) as object)) as Record<string, string>;
}

const MESSAGES = { en: readMessages('en'), cs: readMessages('cs') };

/** Return a message of the catalogues as pages show it (frontend/tools/build/catalogue-loader.js), on one line. */
export function message(language: Language, id: string): string {
  const text = MESSAGES[language][id];
  if (text === undefined) throw new Error(`There is no message ${id} in ${language}`);
  const shown = language === 'cs' ? text.replaceAll(/(?<=\be-)(?=mail)/g, '\u2060') : text;
  return shown.replaceAll(/\s+/g, ' ');
}
