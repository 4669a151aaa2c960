import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
import { ANNA, lasting, signedIn } from '../test/session';
import { AuthProvider, useAuth } from './AuthProvider';
import { TOKEN_KEY } from './TokenStorage';

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
    <AuthProvider source={lasting(signedIn())}>
      <Screen />
    </AuthProvider>,
  );
  expect(screen.getByText(`Signed in as ${ANNA.firstName}`)).toBeVisible();
});

test("without an AuthProvider the error 'useAuth must be used within an AuthProvider' is raised", () => {
  expect(() => render(<Screen />)).toThrow(new Error('useAuth must be used within an AuthProvider'));
});

test('a change of the session renders only who reads it', async () => {
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

test('a page rendered for nobody comes to life for a member without a mismatch', async () => {
  const page = (
    <AuthProvider>
      <Screen />
    </AuthProvider>
  );
  document.body.innerHTML = `<div id="root">${renderToString(page)}</div>`;
  expect(document.body).toHaveTextContent('Signed out');

  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(json({ data: { me: ANNA } }));
  const mismatch = vi.fn();
  const container = document.querySelector('#root') ?? undefined;
  render(page, { container, hydrate: true, onRecoverableError: mismatch });
  expect(await screen.findByText('Signed in as Anna')).toBeVisible();
  expect(mismatch).not.toHaveBeenCalled();
});
