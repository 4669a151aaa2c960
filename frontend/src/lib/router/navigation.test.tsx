import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { useGoBack } from './navigation';

function BackButton() {
  return <button onClick={useGoBack()}>Back</button>;
}

const LANDING = '/landing-sailors';

test.each([
  ['back to the previous page', [LANDING, '/newsletter'], undefined, LANDING],
  ['home on the first page of a visit', ['/newsletter'], undefined, '/'],
  ['home when the Navigation API has no previous entry', [LANDING, '/newsletter'], { canGoBack: false }, '/'],
])('goes %s', async (_, history, navigation, expected) => {
  if (navigation) vi.stubGlobal('navigation', navigation);
  const { user, path } = renderInSite(<BackButton />, { history });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe(expected);
});

test('goes back across a full page load with the Navigation API', async () => {
  vi.stubGlobal('navigation', { canGoBack: true });
  const go = vi.spyOn(window.history, 'go');
  render(<BackButton />, { wrapper: BrowserRouter });
  await userEvent.click(screen.getByRole('button'));
  expect(go).toHaveBeenCalledExactlyOnceWith(-1);
});
