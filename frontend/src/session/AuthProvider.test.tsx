import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
import { ANNA, fixedSource, signedIn, signedOut } from '../test/session';
import { AuthProvider, useAuth, useFreshUser, useMember } from './AuthProvider';
import { TOKEN_KEY } from './TokenStorage';

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

test('a page prerendered as signed out hydrates for a member without a mismatch', async () => {
  const page = (
    <AuthProvider>
      <Screen />
    </AuthProvider>
  );
  document.body.innerHTML = `<div id="root">${renderToString(page)}</div>`;
  expect(document.body).toHaveTextContent('Signed out');

  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(json({ data: { me: ANNA } }));
  const onRecoverableError = vi.fn();
  const container = document.querySelector('#root') ?? undefined;
  render(page, { container, hydrate: true, onRecoverableError });
  expect(await screen.findByText('Signed in as Anna')).toBeVisible();
  expect(onRecoverableError).not.toHaveBeenCalled();
});

test('useFreshUser fetches the user again when a screen mounts after 300 seconds', async () => {
  function FreshScreen() {
    return <p>{`Ahoy ${useFreshUser()?.nickname}`}</p>;
  }
  const site = (key: number) => (
    <AuthProvider>
      <FreshScreen key={key} />
    </AuthProvider>
  );
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  const me = (nickname: string) => json({ data: { me: { ...ANNA, nickname } } });
  const calls = serveGraphQL(me('Anča'), me('Anička'));
  const { rerender } = render(site(1));
  expect(await screen.findByText('Ahoy Anča')).toBeVisible();

  now.mockReturnValue(1_299_999);
  rerender(site(2));
  expect(calls).toHaveLength(1);

  now.mockReturnValue(1_300_000);
  rerender(site(3));
  expect(await screen.findByText('Ahoy Anička')).toBeVisible();
  expect(calls).toHaveLength(2);
});

test('useMember returns the user, and throws when nobody is signed in', () => {
  function MemberScreen() {
    return <p>{`Ahoy ${useMember().firstName}`}</p>;
  }
  const site = (session = signedIn()) => (
    <AuthProvider source={fixedSource(session)}>
      <MemberScreen />
    </AuthProvider>
  );
  render(site());
  expect(screen.getByText('Ahoy Anna')).toBeVisible();
  expect(() => render(site(signedOut()))).toThrow('useMember must be used on a page for members');
});
