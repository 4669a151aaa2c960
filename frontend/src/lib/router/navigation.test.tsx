import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { useGoBack } from './navigation';

function BackButton() {
  return <button onClick={useGoBack()}>Back</button>;
}

test('goes back to the previous page', async () => {
  const { user, path } = renderInSite(<BackButton />, { history: ['/landing-sailors', '/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/landing-sailors');
});

test('goes home on the first page of a visit', async () => {
  const { user, path } = renderInSite(<BackButton />, { history: ['/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/');
});

test('goes back across a full page load with the Navigation API', async () => {
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

test('goes home when the Navigation API has no previous entry', async () => {
  vi.stubGlobal('navigation', { canGoBack: false });
  const { user, path } = renderInSite(<BackButton />, { history: ['/landing-sailors', '/newsletter'] });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe('/');
});
