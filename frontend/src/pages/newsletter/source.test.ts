import { expect, test } from 'vitest';

import routeTable from '../../../routes.json';
import { sourceOf } from './source';

test.each([
  ['?source=landing-sailors', 'landing-sailors'],
  ['?lang=cs&source=landing-companies', 'landing-companies'],
  ['?source=landing-sailors&source=landing-companies', 'landing-sailors'],
  ['?source=elsewhere', null],
  ['?source=Landing-Sailors', null],
  ['?source=', null],
  ['', null],
])('the source of the query %j is %s', (search, source) => {
  expect(sourceOf(search)).toBe(source);
});

test('the page is rendered at build time with every source', () => {
  const { sources = [] } = routeTable.routes.find(({ page }) => page === 'newsletter') ?? {};
  expect(sources.map((source) => sourceOf(`?source=${source}`))).toEqual(sources);
  expect(sources).toHaveLength(2);
});
