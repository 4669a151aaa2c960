import { fireEvent, screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { SkipLink } from './SkipLink';

function Page() {
  const location = useLocation();
  return (
    <>
      <SkipLink />
      <main id="content" tabIndex={-1}>
        {JSON.stringify([location.hash, location.state])}
      </main>
    </>
  );
}

const showPage = () =>
  renderInSite(<Page />, { history: [{ pathname: '/signin', state: { from: '/profile' } }] });
const link = () => screen.getByRole('link', { name: 'Skip to content' });

test('moves the focus to the content and scrolls to it', async () => {
  const shows = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { user } = showPage();
  await user.tab();
  expect(link()).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('main')).toHaveFocus();
  expect(shows.mock.contexts).toEqual([screen.getByRole('main')]);
});

test('keeps the address and the history state', () => {
  showPage();
  const isLeftToTheBrowser = fireEvent.click(link());
  expect(isLeftToTheBrowser).toBe(false);
  expect(screen.getByRole('main')).toHaveTextContent('["",{"from":"/profile"}]');
});

test('leaves a click with a modifier key to the browser', () => {
  showPage();
  expect(fireEvent.click(link(), { ctrlKey: true })).toBe(true);
  expect(screen.getByRole('main')).not.toHaveFocus();
});
