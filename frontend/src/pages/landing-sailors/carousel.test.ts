import { expect, test, vi } from 'vitest';

import { followCarousel } from './carousel';

const CARD = 400;

/** Create a strip of six cards as wide as the strip. */
function layOut() {
  const strip = document.createElement('div');
  vi.spyOn(strip, 'clientWidth', 'get').mockReturnValue(CARD);
  const cards = Array.from({ length: 6 }, (_, index) => {
    const card = document.createElement('div');
    vi.spyOn(card, 'offsetLeft', 'get').mockReturnValue(index * CARD);
    vi.spyOn(card, 'offsetWidth', 'get').mockReturnValue(CARD);
    return card;
  });
  strip.append(...cards);
  return { strip, cards };
}

test('each card that reaches the middle is reported once', () => {
  const { strip, cards } = layOut();
  const onChange = vi.fn();
  followCarousel(strip, cards, 0, onChange);
  for (let left = 0; left <= 2 * CARD; left += 10) strip.scrollTo({ left });
  expect(onChange.mock.calls).toEqual([[0], [1], [2]]);
  strip.scrollTo({ left: CARD });
  expect(onChange.mock.lastCall).toEqual([1]);
});

test('nothing is reported after it has ended', () => {
  const { strip, cards } = layOut();
  const onChange = vi.fn();
  followCarousel(strip, cards, 0, onChange).end();
  strip.scrollTo({ left: 3 * CARD });
  expect(onChange.mock.calls).toEqual([[0]]);
});
