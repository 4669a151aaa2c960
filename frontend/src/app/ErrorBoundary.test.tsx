import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { reloadPage } from '../lazy/reloadPage';
import { renderInSite } from '../test/render';
import { ErrorBoundary } from './ErrorBoundary';

vi.mock('../lazy/reloadPage', () => ({ reloadPage: vi.fn() }));

function Broken(): never {
  throw new Error('Aground');
}

const reported = vi.fn();

/** jsdom has no `reportError`. */
beforeEach(() => void vi.stubGlobal('reportError', reported));

function showBroken() {
  const onCaughtError = vi.fn();
  const view = renderInSite(
    <ErrorBoundary resetKey="one">
      <Broken />
    </ErrorBoundary>,
    { onCaughtError },
  );
  expect(onCaughtError).toHaveBeenCalledOnce();
  return view;
}

test('renders its children', () => {
  renderInSite(<ErrorBoundary resetKey="one">All is well</ErrorBoundary>);
  expect(screen.getByText('All is well')).toBeVisible();
});

test('replaces a broken page with a message and a reload button', async () => {
  const { user } = showBroken();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This page ran aground');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('reports the error as uncaught', () => {
  showBroken();
  expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('Aground'));
});

test('renders again with another reset key', () => {
  const { rerender } = showBroken();
  rerender(<ErrorBoundary resetKey="two">All is well</ErrorBoundary>);
  expect(screen.getByText('All is well')).toBeVisible();
});

test('keeps the failure page with the same reset key', () => {
  const { rerender } = showBroken();
  rerender(<ErrorBoundary resetKey="one">All is well</ErrorBoundary>);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This page ran aground');
});
