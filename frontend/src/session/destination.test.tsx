import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';

import { useDestination } from './destination';

function Screen() {
  return <p>{useDestination()}</p>;
}

function arrive(entry: { search?: string; state?: unknown }) {
  render(
    <MemoryRouter initialEntries={[{ pathname: '/signin', ...entry }]}>
      <Screen />
    </MemoryRouter>,
  );
}

test('signing in leads to the page that sent the visitor', () => {
  arrive({ state: { from: '/profile?edit=1#phone' } });
  expect(screen.getByText('/profile?edit=1#phone')).toBeVisible();
});

test('signing in leads to the dashboard when no page sent the visitor', () => {
  arrive({});
  expect(screen.getByText('/dashboard')).toBeVisible();
});

test.each([
  ['https://evil.example/'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['javascript:alert(1)'],
  [''],
  [7],
])('%j is no page of ours', (from) => {
  arrive({ state: { from } });
  expect(screen.getByText('/dashboard')).toBeVisible();
});

test('an address says nothing of where signing in leads', () => {
  arrive({ search: '?from=/profile&next=//evil.example' });
  expect(screen.getByText('/dashboard')).toBeVisible();
});
