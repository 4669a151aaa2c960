import { expect, test } from 'vitest';

import { progressTone } from './progressTone';

test.each([
  [0, 'none'],
  [1, 'some'],
  [49, 'some'],
  [49.9, 'some'],
  [50, 'most'],
  [99, 'most'],
  [99.9, 'most'],
  [100, 'all'],
])('a progress of %d percent is of the tone %j', (percent, tone) => {
  expect(progressTone(percent)).toBe(tone);
});
