import { renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';

import { useDestination } from './destination';

test.each([
  [{ from: '/profile?edit=1#phone' }, '/profile?edit=1#phone'],
  [undefined, '/dashboard'],
  [{ from: 'https://evil.example/' }, '/dashboard'],
  [{ from: '//evil.example/' }, '/dashboard'],
  [{ from: '/\\evil.example/' }, '/dashboard'],
  [{ from: 'javascript:alert(1)' }, '/dashboard'],
  [{ from: 7 }, '/dashboard'],
])('the history state %j leads to %s, whatever the query says', (state, destination) => {
  const entry = { pathname: '/signin', search: '?from=/profile&next=//evil.example', state };
  const { result } = renderHook(useDestination, {
    wrapper: ({ children }) => <MemoryRouter initialEntries={[entry]}>{children}</MemoryRouter>,
  });
  expect(result.current).toBe(destination);
});
