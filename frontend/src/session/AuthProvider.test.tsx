import { render, screen } from '@testing-library/react';

import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
import { ANNA, createFixedSource, signedIn, signedOut } from '../test/session';
import { AuthProvider, useAuth, useMember } from './AuthProvider';
import { TOKEN_KEY } from './token';

function Screen() {
  const { user, isAuthenticated } = useAuth();
  return <p>{isAuthenticated ? `Signed in as ${user?.firstName ?? 'nobody'}` : 'Signed out'}</p>;
}

test("useAuth throws 'useAuth must be used within an AuthProvider' outside of one", () => {
  expect(() => render(<Screen />)).toThrow(new Error('useAuth must be used within an AuthProvider'));
});

test('a change of the session renders only its consumers', async () => {
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(json({ data: { me: ANNA } }));
  const rendered = vi.fn();
  const Bystander = () => {
    rendered();
    return null;
  };
  render(
    <AuthProvider>
      <Screen />
      <Bystander />
    </AuthProvider>,
  );
  expect(await screen.findByText('Signed in as Anna')).toBeVisible();
  expect(rendered).toHaveBeenCalledOnce();
});

test('useMember returns the user, and throws when nobody is signed in', () => {
  function MemberScreen() {
    return <p>{`Ahoy ${useMember().firstName}`}</p>;
  }
  const site = (session = signedIn()) => (
    <AuthProvider source={createFixedSource(session)}>
      <MemberScreen />
    </AuthProvider>
  );
  render(site());
  expect(screen.getByText('Ahoy Anna')).toBeVisible();
  expect(() => render(site(signedOut()))).toThrow('useMember must be used on a page for members');
});
