import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { reloadPage } from '../lib/reloadPage';
import { renderInSite } from '../test/render';
import { FailurePage } from './FailurePage';

vi.mock('../lib/reloadPage', () => ({ reloadPage: vi.fn() }));

test('has a message, which takes the focus, and a reload button', async () => {
  const { user } = renderInSite(<FailurePage />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This page ran aground');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reloadPage).toHaveBeenCalledOnce();
});
