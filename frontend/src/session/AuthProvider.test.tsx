import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ANNA, signedIn } from '../test/session';
import { AuthProvider, useAuth } from './AuthProvider';

function Screen() {
  const { user, isAuthenticated } = useAuth();
  return isAuthenticated ? `Signed in as ${user?.firstName ?? 'nobody'}` : 'Signed out';
}

test('every visitor is signed out until a session says otherwise', () => {
  render(<Screen />, { wrapper: AuthProvider });
  expect(screen.getByText('Signed out')).toBeVisible();
});

test('the authentication state is available to screens', () => {
  render(
    <AuthProvider session={signedIn()}>
      <Screen />
    </AuthProvider>,
  );
  expect(screen.getByText(`Signed in as ${ANNA.firstName}`)).toBeVisible();
});

test("without an AuthProvider the error 'useAuth must be used within an AuthProvider' is raised", () => {
  expect(() => render(<Screen />)).toThrow(new Error('useAuth must be used within an AuthProvider'));
});
