import { expect, test, vi } from 'vitest';

import { followCarousel } from './useStrip';

const COUNT = 6;
/** The scroll length of a card. */
const STEP = 300;

/** Create a strip that shows a card and a half. */
function layOut() {
  const strip = document.createElement('div');
  vi.spyOn(strip, 'clientWidth', 'get').mockReturnValue(600);
  vi.spyOn(strip, 'scrollWidth', 'get').mockReturnValue(600 + 5 * STEP);
  return strip;
}

test('each card is reported once when its turn comes, from the start of the strip to its end', () => {
  const strip = layOut();
  const onChange = vi.fn();
  followCarousel(strip, COUNT, 0, onChange);
  for (let left = 0; left <= 5 * STEP; left += 10) strip.scrollTo({ left });
  expect(onChange.mock.calls).toEqual([[0], [1], [2], [3], [4], [5]]);
  strip.scrollTo({ left: STEP });
  expect(onChange.mock.lastCall).toEqual([1]);
});

test.each([0, 2, 5])('card %i is shown at its share of the scroll length', (index) => {
  const strip = layOut();
  followCarousel(strip, COUNT, 0, vi.fn()).show(index);
  expect(strip.scrollLeft).toBe(index * STEP);
});

test('nothing is reported after it has ended', () => {
  const strip = layOut();
  const onChange = vi.fn();
  followCarousel(strip, COUNT, 0, onChange).end();
  strip.scrollTo({ left: 3 * STEP });
  expect(onChange.mock.calls).toEqual([[0]]);
});
