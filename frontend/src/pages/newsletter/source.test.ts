import { afterEach, expect, test, vi } from 'vitest';

import { sourceOf } from './source';

afterEach(() => vi.restoreAllMocks());

function cameFrom(referrer: string) {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
}

test.each([
  [{ source: 'landing-sailors' }, 'landing-sailors'],
  [{ source: 'landing-companies' }, 'landing-companies'],
  [{ source: 'elsewhere' }, null],
  [{ source: 1 }, null],
  [{}, null],
  ['landing-sailors', null],
  [null, null],
  [undefined, null],
])('the source of the state %j is %s', (state, source) => {
  expect(sourceOf({ state, key: 'abc' })).toBe(source);
});

test.each([
  ['/landing-companies', 'landing-companies'],
  ['/landing-sailors/?lang=cs', 'landing-sailors'],
  ['/', null],
])('a first page that was reached from %s has the source %s', (path, source) => {
  cameFrom(`${window.location.origin}${path}`);
  expect(sourceOf({ state: null, key: 'default' })).toBe(source);
});

test('another site is no source', () => {
  cameFrom('https://elsewhere.example/landing-sailors');
  expect(sourceOf({ state: null, key: 'default' })).toBeNull();
});

test('where the visit began is no source of a page reached later', () => {
  cameFrom(`${window.location.origin}/landing-sailors`);
  expect(sourceOf({ state: null, key: 'abc' })).toBeNull();
});
