import { expect, test } from 'vitest';

import { sourceOf } from './source';

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
  expect(sourceOf(state)).toBe(source);
});
