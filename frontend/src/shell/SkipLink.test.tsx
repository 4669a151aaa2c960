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

test('moves the focus to the content, scrolls to it and keeps the address and the history state', () => {
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  renderInSite(<Page />, { history: [{ pathname: '/signin', state: { from: '/profile' } }] });
  const main = screen.getByRole('main');
  const link = screen.getByRole('link', { name: 'Skip to content' });
  expect(fireEvent.click(link, { ctrlKey: true }), 'is left to the browser').toBe(true);
  expect(main).not.toHaveFocus();
  expect(fireEvent.click(link)).toBe(false);
  expect(main).toHaveFocus();
  expect(scrolls.mock.contexts).toEqual([main]);
  expect(main).toHaveTextContent('["",{"from":"/profile"}]');
});
