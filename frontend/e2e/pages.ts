import { readFileSync } from 'node:fs';

import routeTable from '../routes.json' with { type: 'json' };
import type { Language } from './site';

/** All routes, with an unknown path for the 404 page. */
export const ROUTES = [...routeTable.routes, { ...routeTable.notFound, path: '/no-such-port' }];

/** The pages that search engines may index, and the 404 page. */
export const PAGES = ROUTES.filter(({ isPublic }) => isPublic);

/** The paths for which the 404 page has help of its own. */
export const HELP_PATHS = routeTable.notFound.helpPaths;

/** Return all messages of a language by id. */
function readMessages(language: Language): Record<string, string> {
  const file = new URL(`../messages/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

export const MESSAGES = { en: readMessages('en'), cs: readMessages('cs') };

/** Return a message of the catalogues as pages show it (frontend/tools/build/catalogue-loader.js), on one line. */
export function message(language: Language, id: string): string {
  const text = MESSAGES[language][id];
  if (text === undefined) throw new Error(`There is no message ${id} in ${language}`);
  const shown = language === 'cs' ? text.replaceAll(/(?<=\be-)(?=mail)/g, '\u2060') : text;
  return shown.replaceAll(/\s+/g, ' ');
}
