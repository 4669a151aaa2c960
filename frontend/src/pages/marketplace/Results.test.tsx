import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../../test/render';
import { BoatList } from './Results';
import { manyBoats } from '../../test/boats';

const BOATS = manyBoats(60);
const onOpen = () => undefined;
// Not by role, because that is slow on a large page in jsdom.
const cards = () => [...document.querySelectorAll('article')];
const more = () => screen.getByText('Show more boats');

test('the first boats and the total are shown', () => {
  renderInSite(<BoatList boats={BOATS} onOpen={onOpen} />);
  expect(cards()).toHaveLength(24);
  expect(document.body).toHaveTextContent('24 of 60');
});

test('more boats are shown on request, with the focus on the first new one', async () => {
  const { user } = renderInSite(<BoatList boats={BOATS} onOpen={onOpen} />);
  await user.click(more());
  expect(cards()).toHaveLength(48);
  expect(document.activeElement).toBe(cards()[24]?.parentElement);
  await user.click(more());
  expect(cards()).toHaveLength(60);
  expect(document.activeElement).toBe(cards()[48]?.parentElement);
  expect(screen.queryByText('Show more boats')).not.toBeInTheDocument();
});

test('a new list starts from the top', async () => {
  const { user, rerender } = renderInSite(<BoatList boats={BOATS} onOpen={onOpen} />);
  await user.click(more());
  rerender(<BoatList boats={manyBoats(50)} onOpen={onOpen} />);
  expect(cards()).toHaveLength(24);
});

test('a short list has no button for more', () => {
  renderInSite(<BoatList boats={BOATS.slice(0, 24)} onOpen={onOpen} />);
  expect(cards()).toHaveLength(24);
  expect(screen.queryByText('Show more boats')).not.toBeInTheDocument();
});
