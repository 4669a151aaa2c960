import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
import SignInPage from './SignInPage';

const signedInAnswer = () => json({ data: { signIn: { token: 'a.b.c', user: ANNA } } });

const showPage = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(<SignInPage />, { history: ['/signin'], ...options });

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => screen.getByRole('button', { name: 'Set Sail' });

async function fillIn(user: ReturnType<typeof showPage>['user'], secret = 'Sailing1!') {
  await user.type(email(), 'anna@example.org');
  await user.type(password(), secret);
}

test('the form has autocomplete for password managers, no native validation, and preloads its calls', () => {
  const preload = vi.fn();
  showPage({ session: signedOut({ preload }) });
  expect(email()).toMatchObject({ type: 'email', autocomplete: 'username' });
  expect(password()).toMatchObject({ type: 'password', autocomplete: 'current-password' });
  expect(email().form).toHaveAttribute('novalidate');
  expect(preload).toHaveBeenCalledOnce();
});

test.each([
  ['/dashboard', 'Sign in to see your dashboard.'],
  ['/notifications#today', 'Sign in to see your notifications.'],
  ['/profile?edit=1', 'Sign in to see your profile.'],
  ['/marketplace', 'Sign in and pick up where you left off.'],
  ['//evil.example/profile', 'Sign in and pick up where you left off.'],
])('the reason of a visitor who asked for %s is %j', (from, reason) => {
  showPage({ history: [{ pathname: '/signin', state: { from } }] });
  expect(screen.getByText(reason)).toBeVisible();
});

test('the form refuses what its rules forbid', async () => {
  const calls = serveGraphQL();
  const { user } = showPage();
  await user.type(password(), '12345');
  await user.click(submit());
  await waitFor(() => expect(email()).toHaveFocus());
  expect(email()).toHaveAccessibleDescription('Email is required');
  expect(password()).toHaveAccessibleDescription('Password must be at least 6 characters');
  expect(calls).toEqual([]);
});

test('signing in sends the password untrimmed, stores the token and opens /dashboard', async () => {
  const calls = serveGraphQL(signedInAnswer());
  const { user, path } = showPage();
  await fillIn(user, ' Sailing1! ');
  await user.click(submit());
  await waitFor(() => expect(path()).toBe('/dashboard'));
  const input = { email: 'anna@example.org', password: ' Sailing1! ' };
  expect(calls).toMatchObject([{ operationName: 'signIn', variables: { input } }]);
  expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
  // The test keeps showing this page, as the product does while the next one loads.
  expect(screen.getByRole('button', { name: 'Signing In...' })).toBeVisible();
  expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
});

test('a visitor who has left the page is not redirected', async () => {
  const { answer, send } = later<undefined>();
  const { user, path, rerender } = showPage({ session: signedOut({ signIn: () => answer }) });
  await fillIn(user);
  await user.click(submit());
  await screen.findByRole('button', { name: 'Signing In...' });
  rerender(<h1>Another page</h1>);
  send(undefined);
  await act(() => answer);
  expect(path()).toBe('/signin');
});

test('a visitor who is signed in sees a notice with a link to the dashboard above the form', async () => {
  const { user, path } = showPage({ session: signedIn() });
  expect(screen.getByText('You are signed in as Anna Nováková')).toBeVisible();
  expect(path()).toBe('/signin');
  expect(submit()).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
  expect(path()).toBe('/dashboard');
});
