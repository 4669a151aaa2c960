import { readFileSync } from 'node:fs';

import routeTable from '../routes.json' with { type: 'json' };
import type { LANGUAGES } from './site';

type Language = (typeof LANGUAGES)[number];

const { routes, notFound } = routeTable;

/** The pages that anyone may see, with a path that is none for the page that says so. */
export const PAGES = [...routes.filter(({ isPublic }) => isPublic), { ...notFound, path: '/no-such-port' }];

/** A message as the catalogue of a language has it, on one line. */
export function message(language: Language, id: string): string {
  const [group] = id.split('.');
  const file = new URL(`../src/i18n/messages/${language}/${group}.json`, import.meta.url);
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const text = messages[id];
  if (text === undefined) throw new Error(`There is no ${id} in ${language}`);
  return text.replaceAll(/\s+/g, ' ');
}
