import { fireEvent, screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { SkipLink } from './SkipLink';

const Page = () => (
  <>
    <SkipLink />
    <main id="content" tabIndex={-1}>
      {JSON.stringify(useLocation().state)}
    </main>
  </>
);

test('moves the focus to the content and keeps the history state', () => {
  renderInSite(<Page />, { history: [{ pathname: '/signin', state: { from: '/profile' } }] });
  const main = screen.getByRole('main');
  const link = screen.getByRole('link', { name: 'Skip to content' });
  expect(fireEvent.click(link, { ctrlKey: true }), 'is left to the browser').toBe(true);
  expect(main).not.toHaveFocus();
  expect(fireEvent.click(link)).toBe(false);
  expect(main).toHaveFocus();
  expect(main).toHaveTextContent('{"from":"/profile"}');
});
