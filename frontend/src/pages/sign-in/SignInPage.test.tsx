import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { signedIn, signedOut } from '../../test/session';
import SignInPage from './SignInPage';

const USER = {
  id: '7',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Nováková',
  nickname: '',
  phone: '',
  nationality: '',
  isEmailVerified: true,
  isEmailUndeliverable: false,
  createdAt: '2025-03-01T09:30:00+00:00',
};

const signedInAnswer = () => json({ data: { signIn: { token: 'a.b.c', user: USER } } });

const showPage = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(<SignInPage />, { history: ['/signin'], ...options });

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => screen.getByRole('button', { name: 'Set Sail' });

async function fillIn(
  user: ReturnType<typeof showPage>['user'],
  { address = 'anna@example.org', secret = 'Sailing1!' } = {},
) {
  for (const [field, text] of [
    [email(), address],
    [password(), secret],
  ] as const) {
    await user.click(field);
    await user.paste(text);
  }
}

describe('the form', () => {
  test('loads the calls to the server before the first submit', () => {
    const preload = vi.fn();
    showPage({ session: signedOut({ preload }) });
    expect(preload).toHaveBeenCalledOnce();
  });

  test('has autocomplete attributes for password managers and no native validation', () => {
    showPage();
    expect(email()).toHaveAttribute('type', 'email');
    expect(email()).toHaveAttribute('autocomplete', 'username');
    expect(password()).toHaveAttribute('type', 'password');
    expect(password()).toHaveAttribute('autocomplete', 'current-password');
    expect(email().form).toHaveAttribute('novalidate');
  });
});

describe('the reason', () => {
  test.each([
    ['/dashboard', 'Sign in to see your dashboard.'],
    ['/notifications#today', 'Sign in to see your notifications.'],
    ['/profile?edit=1', 'Sign in to see your profile.'],
    ['/marketplace', 'Sign in and pick up where you left off.'],
    ['//evil.example/profile', 'Sign in and pick up where you left off.'],
  ])('of a visitor who asked for %s is %j', (from, reason) => {
    showPage({ history: [{ pathname: '/signin', state: { from } }] });
    expect(screen.getByText(reason)).toBeVisible();
  });
});

test('refuses what its rules forbid', async () => {
  const calls = serveGraphQL();
  const { user } = showPage();
  await user.type(password(), '12345');
  await user.click(submit());
  await waitFor(() => expect(email()).toHaveFocus());
  expect(email()).toHaveAccessibleDescription('Email is required');
  expect(password()).toHaveAccessibleDescription('Password must be at least 6 characters');
  expect(calls).toEqual([]);
});

describe('submitting', () => {
  test('sends the trimmed email and the untrimmed password', async () => {
    const calls = serveGraphQL(signedInAnswer());
    const { user, path } = showPage();
    // A no-break space, as word processors leave it; the browser itself strips plain ones.
    await fillIn(user, { address: '\u00a0anna@example.org\u00a0', secret: ' Sailing1! ' });
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ operationName: 'signIn' });
    expect(calls[0]?.variables).toEqual({ input: { email: 'anna@example.org', password: ' Sailing1! ' } });
  });
});

describe('success', () => {
  test('stores the token, opens /dashboard and shows no notice of a session meanwhile', async () => {
    serveGraphQL(signedInAnswer());
    const { user, path } = showPage();
    await fillIn(user);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
    // The test keeps showing this page, as the product does while the next one loads.
    expect(screen.getByRole('button', { name: 'Signing In...' })).toBeVisible();
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  });

  test('does not redirect a visitor who has left the page', async () => {
    let succeed: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (succeed = resolve));
    const { user, path, rerender } = showPage({ session: signedOut({ signIn: () => answered }) });
    await fillIn(user);
    await user.click(submit());
    await screen.findByRole('button', { name: 'Signing In...' });
    rerender(<h1>Another page</h1>);
    succeed();
    await act(() => answered);
    expect(path()).toBe('/signin');
  });
});

describe('a visitor who is signed in already', () => {
  test('sees a notice with a link to the dashboard above the form', async () => {
    const { user, path } = showPage({ session: signedIn() });
    expect(screen.getByText('You are signed in as Anna Nováková')).toBeVisible();
    expect(path()).toBe('/signin');
    expect(submit()).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
    expect(path()).toBe('/dashboard');
  });
});
