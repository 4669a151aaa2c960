import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';

import { useDestination } from './destination';

function Screen() {
  return <p>{useDestination()}</p>;
}

function renderAt(entry: { search?: string; state?: unknown }) {
  render(
    <MemoryRouter initialEntries={[{ pathname: '/signin', ...entry }]}>
      <Screen />
    </MemoryRouter>,
  );
}

test('returns the page in the history state', () => {
  renderAt({ state: { from: '/profile?edit=1#phone' } });
  expect(screen.getByText('/profile?edit=1#phone')).toBeVisible();
});

test('returns the dashboard without a page in the history state', () => {
  renderAt({});
  expect(screen.getByText('/dashboard')).toBeVisible();
});

test.each([
  ['https://evil.example/'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['javascript:alert(1)'],
  [''],
  [7],
])('ignores %j, which is not a page of this site', (from) => {
  renderAt({ state: { from } });
  expect(screen.getByText('/dashboard')).toBeVisible();
});

test('ignores the query of the address', () => {
  renderAt({ search: '?from=/profile&next=//evil.example' });
  expect(screen.getByText('/dashboard')).toBeVisible();
});
