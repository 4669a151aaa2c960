import { expect, test } from 'vitest';

import { getRoute, imports, notFound, routes } from './routes';

test.each([
  ['', 'crossroad'],
  ['/newsletter', 'newsletter'],
  ['/newsletter//', 'newsletter'],
  ['/newsletter/more', 'not-found'],
  ['/Newsletter', 'not-found'],
  ['/forgot-password', 'not-found'],
])('the path %j shows the page %s', (path, page) => {
  expect(getRoute(path).page).toBe(page);
});

test('the route table lists every page, and guards the personal ones', () => {
  expect([...routes, notFound].map(({ page }) => page).sort()).toEqual(Object.keys(imports).sort());
  const members = routes.filter(({ access, isPublic }) => access === 'member' && !isPublic);
  expect(members.map(({ path }) => path)).toEqual(['/profile', '/dashboard', '/notifications']);
});
