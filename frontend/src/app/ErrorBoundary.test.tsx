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
    <ErrorBoundary place="one">
      <Broken />
    </ErrorBoundary>,
    { onCaughtError },
  );
  expect(onCaughtError).toHaveBeenCalledOnce();
  return view;
}

test('shows what is inside it while that is well', () => {
  renderInSite(<ErrorBoundary place="one">All is well</ErrorBoundary>);
  expect(screen.getByText('All is well')).toBeVisible();
});

test('a page that breaks is replaced by words and a way to load it anew', async () => {
  const { user } = showBroken();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This page ran aground');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('what broke is handed to the browser, as an error that nobody caught', () => {
  showBroken();
  expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('Aground'));
});

test('another place is shown anew', () => {
  const { rerender } = showBroken();
  rerender(<ErrorBoundary place="two">All is well</ErrorBoundary>);
  expect(screen.getByText('All is well')).toBeVisible();
});

test('the same place stays broken', () => {
  const { rerender } = showBroken();
  rerender(<ErrorBoundary place="one">All is well</ErrorBoundary>);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This page ran aground');
});
