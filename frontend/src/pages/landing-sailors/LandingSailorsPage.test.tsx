import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { FEATURES } from './features';
import LandingSailorsPage from './LandingSailorsPage';

/** The scroll length of each card. */
const CARD = 400;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(CARD);
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(FEATURES.length * CARD);
});

const strip = () => screen.getByRole('group', { name: /^(Six legs|Šest)/ });

test('the strip steps by arrow keys, Home, End and its buttons, and says where it is', async () => {
  const { user } = renderInSite(<LandingSailorsPage />);
  act(() => strip().focus());
  for (const [keys, position] of [
    ['{ArrowRight}{ArrowRight}', '3 of 6: Training and Learning Resources'],
    ['{ArrowLeft}', '2 of 6: Personal Profile and List of Experience'],
    ['{Alt>}{ArrowRight}{/Alt}{Control>}{End}{/Control}', '2 of 6: Personal Profile and List of Experience'],
    ['{End}{ArrowRight}', '6 of 6: Racing Sailors Finding Team Members'],
    ['{Home}{ArrowLeft}', '1 of 6: Automatic Logbook'],
  ] as const) {
    await user.keyboard(keys);
    expect(screen.getByText(position).parentElement).toHaveAttribute('aria-live', 'polite');
  }
  await user.click(screen.getByRole('button', { name: 'Next feature' }));
  expect(screen.getByText(/^2 of 6/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Previous feature' }));
  expect(screen.getByRole('button', { name: 'Previous feature' })).toHaveAttribute('aria-disabled', 'true');
  expect([1, 2].map(() => fireEvent.keyDown(strip(), { key: 'End' }))).toEqual([false, true]); // then the browser goes on
});

test('the card nearest to where the strip was swiped is the current one', () => {
  renderInSite(<LandingSailorsPage />, { language: 'cs' });
  expect(screen.getByText('1 z 6: Automatický lodní deník')).toBeInTheDocument();
  act(() => strip().scrollTo({ left: 2.6 * CARD }));
  fireEvent.resize(window);
  expect(screen.getByText(/^4 z 6: /)).toBeInTheDocument();
  expect(strip()).toMatchObject({ scrollLeft: 2.6 * CARD, nextSibling: null }); // closing words are for a pinned one
});
