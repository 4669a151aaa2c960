import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { useGoBack } from './useGoBack';

function BackButton() {
  return <button onClick={useGoBack()}>Back</button>;
}

test('goes back to the page that the visitor came from', async () => {
  const { user, path } = renderInSite(<BackButton />, { history: ['/landing-sailors', '/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/landing-sailors');
});

test('goes home when the visit began here', async () => {
  const { user, path } = renderInSite(<BackButton />, { history: ['/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/');
});

test('goes back past a page load of its own, which the Navigation API knows of', async () => {
  vi.stubGlobal('navigation', { canGoBack: true });
  const go = vi.spyOn(window.history, 'go');
  render(
    <BrowserRouter>
      <BackButton />
    </BrowserRouter>,
  );
  await userEvent.click(screen.getByRole('button'));
  expect(go).toHaveBeenCalledExactlyOnceWith(-1);
});

test('goes home when the Navigation API knows of nothing before', async () => {
  vi.stubGlobal('navigation', { canGoBack: false });
  const { user, path } = renderInSite(<BackButton />, { history: ['/landing-sailors', '/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/');
});
