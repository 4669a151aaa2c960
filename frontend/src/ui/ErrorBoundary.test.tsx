import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { ErrorBoundary } from './ErrorBoundary';

function Broken(): never {
  throw new Error('Blocked');
}

const page = (resetKey: string, isBroken = true) => (
  <>
    <ErrorBoundary resetKey={resetKey} fallback={<p>Fallback</p>}>
      {isBroken ? <Broken /> : <p>Content</p>}
    </ErrorBoundary>
    <h1>The page</h1>
  </>
);

test('replaces broken children with the fallback and keeps the page', () => {
  const onCaughtError = vi.fn();
  renderInSite(page('one'), { onCaughtError });
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  expect(screen.getByText('Fallback')).toBeVisible();
  expect(onCaughtError).toHaveBeenCalledOnce();
});

test('renders the children again with another reset key only', () => {
  const { rerender } = renderInSite(page('one'), { onCaughtError: vi.fn() });
  rerender(page('one', false));
  expect(screen.queryByText('Content')).not.toBeInTheDocument();
  rerender(page('two', false));
  expect(screen.getByText('Content')).toBeVisible();
});
