import { describe, expect, test } from 'vitest';

import { getRoute, imports, notFound, routes } from './routes';

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
  expect(getRoute(path).page).toBe(page);
});

describe('the route table', () => {
  const entries = [...routes, notFound];

  test('lists every page, and no other', () => {
    expect(entries.map(({ page }) => page).sort()).toEqual(Object.keys(imports).sort());
  });

  test('guards personal pages, and keeps them out of search engines', () => {
    const members = routes.filter(({ access }) => access === 'member');
    expect(members.map(({ path }) => path)).toEqual(['/profile', '/dashboard', '/notifications']);
    expect(members.filter(({ isPublic }) => isPublic)).toEqual([]);
  });

  test.each(routes)('says who may see $path', ({ access }) => {
    expect(access).toMatch(/^(public|member)$/);
  });

  test('has unique absolute paths without a trailing slash', () => {
    const paths = routes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/$|^(\/[a-z-]+)+$/);
  });
});
