import { describe, expect, test } from 'vitest';

import { pages } from './pages';
import { catalogues } from '../test/catalogues';
import { entryOf, notFound, routes } from './routes';

test.each([
  ['/', 'crossroad'],
  ['/newsletter', 'newsletter'],
  ['/newsletter/', 'newsletter'],
  ['/newsletter//', 'newsletter'],
  ['', 'crossroad'],
  ['/no-such-port', 'not-found'],
  ['/newsletter/more', 'not-found'],
  ['/Newsletter', 'not-found'],
  ['/forgot-password', 'not-found'],
  ['/about', 'not-found'],
  ['/contact', 'not-found'],
  ['/races', 'not-found'],
  ['/network', 'not-found'],
  ['/saved', 'not-found'],
  ['/settings', 'not-found'],
])('the path %j shows the page %s', (path, page) => {
  expect(entryOf(path).page).toBe(page);
});

describe('the route table', () => {
  const entries = [...routes, notFound];

  test.each(entries)('names a page that there is: $page', ({ page }) => {
    expect(Object.keys(pages)).toContain(page);
  });

  test('has a place for every page', () => {
    expect(entries.map(({ page }) => page).sort()).toEqual(Object.keys(pages).sort());
  });

  test.each(entries)(
    'names a title and a description that there are: $page',
    ({ titleKey, descriptionKey }) => {
      expect(catalogues.en).toHaveProperty([titleKey]);
      expect(catalogues.en).toHaveProperty([descriptionKey]);
    },
  );

  test('keeps personal pages for members, and none of them is rendered at build time', () => {
    const members = routes.filter(({ access }) => access === 'member');
    expect(members.map(({ path }) => path)).toEqual(['/profile', '/dashboard', '/notifications']);
    expect(members.filter(({ prerendered }) => prerendered)).toEqual([]);
  });

  test.each(routes)('says whom $path is for', ({ access }) => {
    expect(access).toMatch(/^(public|member)$/);
  });

  test('names each path once, from the root, without a slash at its end', () => {
    const paths = routes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/$|^(\/[a-z-]+)+$/);
  });
});
