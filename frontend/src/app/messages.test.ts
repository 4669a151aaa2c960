import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import prefixes from '../../messages/catalogues.json';
import messages from '../../messages/en.json';
import { notFound, type PageEntry, routes } from './routes';

const SOURCES = 'frontend/src';
const ROUTES = join(SOURCES, 'app/routes.ts');

const read = (file: string) => readFileSync(file, 'utf8');

/** The catalogue of each prefix. */
const catalogueOf = new Map(
  Object.entries(prefixes).flatMap(([name, own]) => own.map((prefix) => [prefix, name] as const)),
);
const findCatalogue = (id: string) => (id in messages ? catalogueOf.get(id.split('.')[0] ?? '') : undefined);

/** The imports of a module that are not of types only. */
const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm;

/**
 * The import of a chunk, and the catalogues that `lazyWithMessages` loads with it. The calls of the session only throw:
 * who makes them says what failed.
 */
const LAZY_IMPORT =
  /import\(\s*\/\* webpackChunkName: "(?!session").*?\*\/\s*'(\.[^']+)'\s*\)(?:,\s*\[(.*?)\])?/gs;

const PAGE_IMPORT = /"page-(.+)" \*\/ '(\..+)'/g;

const pageFiles = new Map([...read(ROUTES).matchAll(PAGE_IMPORT)].map(([, page, path = '']) => [page, path]));

/** Return the messages that a module and its imports use, although no catalogue in use has them. */
function findMissing(
  importer: string,
  path: string,
  inUse: readonly string[],
  seen = new Set<string>(),
): string[] {
  const module = join(dirname(importer), path);
  const file = [`${module}.ts`, `${module}.tsx`].find((name) => existsSync(name));
  if (!file && seen.size === 0) throw new Error(`There is no module ${module}`);
  if (!file || seen.has(file)) return [];
  seen.add(file);
  const source = read(file);
  const missing = [...source.matchAll(/['"](\w+\.\w+)['"]/g)].flatMap(([, id = '']) => {
    const catalogue = findCatalogue(id);
    return !catalogue || inUse.includes(catalogue) ? [] : [`${file} uses ${id} of ${catalogue}`];
  });
  const imports = [...source.matchAll(STATIC_IMPORT)];
  // Each page is checked by itself.
  const chunks = dirname(file) === join(SOURCES, 'app') ? [] : [...source.matchAll(LAZY_IMPORT)];
  return [
    ...missing,
    ...imports.flatMap(([, next = '']) => findMissing(file, next, inUse, seen)),
    ...chunks.flatMap(([, next = '', names = '']) =>
      findMissing(file, next, [...inUse, ...(names.match(/[\w-]+/g) ?? [])]),
    ),
  ];
}

test('the frame of every page uses the messages of every page only', () => {
  expect(findMissing(ROUTES, './App', ['public'])).toEqual([]);
});

test.each<PageEntry>([...routes, notFound])(
  'the page $page loads every message that it and its parts use',
  ({ page, head, access, catalogues }) => {
    const inUse = ['public', ...catalogues];
    for (const part of ['Title', 'Description']) expect(inUse).toContain(findCatalogue(head + part));
    const path = pageFiles.get(page) ?? '';
    const missing = findMissing(ROUTES, path, inUse);
    const guard = access === 'member' ? findMissing(ROUTES, './RequireAuth', inUse) : [];
    expect([...missing, ...guard]).toEqual([]);
  },
);
