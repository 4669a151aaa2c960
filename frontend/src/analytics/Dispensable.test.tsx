import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Dispensable } from './Dispensable';

function Broken(): never {
  throw new Error('Blocked');
}

test('what breaks goes, and the page around it stays', () => {
  const onCaughtError = vi.fn();
  renderInSite(
    <>
      <Dispensable>
        <p>Beside</p>
        <Broken />
      </Dispensable>
      <h1>The page</h1>
    </>,
    { onCaughtError },
  );
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  expect(screen.queryByText('Beside')).not.toBeInTheDocument();
  expect(onCaughtError).toHaveBeenCalledOnce();
});
