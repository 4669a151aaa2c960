import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { OptionalBoundary } from './OptionalBoundary';

let isBroken = true;

function Part() {
  if (isBroken) throw new Error('Blocked');
  return <p>The part</p>;
}

function page(place: string) {
  return (
    <>
      <OptionalBoundary place={place} fallback={<p>In its place</p>}>
        <p>Beside</p>
        <Part />
      </OptionalBoundary>
      <h1>The page</h1>
    </>
  );
}

test('a broken part gives way to its fallback, and the page around it stays', () => {
  isBroken = true;
  const onCaughtError = vi.fn();
  renderInSite(page('here'), { onCaughtError });
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  expect(screen.getByText('In its place')).toBeVisible();
  expect(screen.queryByText('Beside')).not.toBeInTheDocument();
  expect(onCaughtError).toHaveBeenCalledOnce();
});

test('without a fallback nothing takes its place', () => {
  isBroken = true;
  const { container } = renderInSite(
    <main>
      <OptionalBoundary>
        <Part />
      </OptionalBoundary>
    </main>,
    { onCaughtError: vi.fn() },
  );
  expect(container.querySelector('main')).toBeEmptyDOMElement();
});

test('a broken part is tried anew at another place, and not before', () => {
  isBroken = true;
  const { rerender } = renderInSite(page('here'), { onCaughtError: vi.fn() });
  isBroken = false;
  rerender(page('here'));
  expect(screen.queryByText('The part')).not.toBeInTheDocument();
  rerender(page('elsewhere'));
  expect(screen.getByText('The part')).toBeVisible();
});
