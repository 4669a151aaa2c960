import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { json, serveGraphQL, unavailable } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
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
  createdAt: '2025-03-01T09:30:00+00:00',
};

const signedInAnswer = () => json({ data: { signIn: { token: 'a.b.c', user: USER } } });

function refused(message: string, extensions: object, status = 200) {
  return json({ data: null, errors: [{ message, extensions }] }, { status });
}

const showPage = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(<SignInPage />, { history: ['/signin'], ...options });

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => screen.getByRole('button', { name: 'Set Sail' });
const alert = () => screen.getByRole('alert');

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

  test('links to /forgot-password and /signup, and disables Google', () => {
    showPage();
    expect(screen.getByRole('link', { name: 'Forgot Password?' })).toHaveAttribute(
      'href',
      '/forgot-password',
    );
    expect(screen.getByRole('link', { name: 'Join the Crew' })).toHaveAttribute('href', '/signup');
    expect(screen.getByRole('button', { name: 'Continue with Google (Coming Soon)' })).toBeDisabled();
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

  test('is translated', () => {
    showPage({ history: [{ pathname: '/signin', state: { from: '/notifications' } }], language: 'cs' });
    expect(screen.getByText('Přihlaste se a uvidíte svá oznámení.')).toBeVisible();
  });
});

describe('validation', () => {
  test.each([
    [' ', 'Email is required'],
    ['nonsense', 'Invalid email address'],
    [`${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
  ])('refuses the email %j', async (address, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await fillIn(user, { address });
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAccessibleDescription(message));
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    await waitFor(() => expect(email()).toHaveFocus());
    expect(password()).not.toHaveAttribute('aria-invalid');
    expect(calls).toEqual([]);
  });

  test.each([
    ['12345', 'Password must be at least 6 characters'],
    ['x'.repeat(129), 'Password must be at most 128 characters'],
  ])('refuses the password %j', async (secret, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await fillIn(user, { secret });
    await user.click(submit());
    await waitFor(() => expect(password()).toHaveAccessibleDescription(message));
    await waitFor(() => expect(password()).toHaveFocus());
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(calls).toEqual([]);
  });

  test('refuses both blank fields at once and focuses the first', async () => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Email is required'));
    expect(password()).toHaveAccessibleDescription('Password is required');
    await waitFor(() => expect(email()).toHaveFocus());
    expect(calls).toEqual([]);
  });

  test('starts with the first submit and removes an error as soon as it is corrected', async () => {
    const { user } = showPage();
    await user.type(password(), '1');
    await user.type(email(), 'anna');
    await user.tab();
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(password()).not.toHaveAttribute('aria-invalid');
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAttribute('aria-invalid', 'true'));
    await user.type(email(), '@example.org');
    await waitFor(() => expect(email()).not.toHaveAttribute('aria-invalid'));
    expect(email()).toHaveAccessibleDescription('');
  });

  test('shows its errors in the language of the page', async () => {
    const { user } = showPage({ language: 'cs' });
    await user.click(screen.getByRole('button', { name: 'Vyplout' }));
    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('E-mail je povinný'),
    );
    expect(screen.getByLabelText('Heslo')).toHaveAccessibleDescription('Heslo je povinné');
  });
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

  test('sends one request, however often the form is submitted', async () => {
    let succeed: () => void = () => undefined;
    const signIn = vi.fn(() => new Promise<void>((resolve) => (succeed = resolve)));
    const { user, path } = showPage({ session: signedOut({ signIn }) });
    await fillIn(user);
    await user.dblClick(submit());
    await waitFor(() => expect(signIn).toHaveBeenCalled());
    act(() => email().form?.requestSubmit());
    await user.type(password(), '{Enter}');
    succeed();
    await waitFor(() => expect(path()).toBe('/dashboard'));
    act(() => email().form?.requestSubmit());
    await act(() => Promise.resolve());
    expect(signIn).toHaveBeenCalledOnce();
  });

  test('tracks the button', async () => {
    const { user } = showPage({ session: signedOut() });
    await user.click(submit());
    expect(trackedEvents()).toEqual([['button_click', { button: 'set_sail', location: 'sign-in' }]]);
  });
});

test('the pending button reads "Signing In..." and keeps the focus', async () => {
  const { user } = showPage({ session: signedOut({ signIn: () => new Promise(() => undefined) }) });
  await fillIn(user);
  await user.click(submit());
  const pending = await screen.findByRole('button', { name: 'Signing In...' });
  expect(pending).toHaveFocus();
  expect(pending).toHaveAttribute('aria-disabled', 'true');
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

  test.each([
    ['/profile', '/profile'],
    ['//evil.example', '/dashboard'],
    ['/\\evil.example', '/dashboard'],
    ['https://evil.example', '/dashboard'],
    [['/profile'], '/dashboard'],
  ])('opens the page that redirected the visitor here, if it is one of ours: %s', async (from, opened) => {
    const { user, path } = showPage({
      history: [{ pathname: '/signin', state: { from } }],
      session: signedOut(),
    });
    await fillIn(user);
    await user.click(submit());
    await waitFor(() => expect(path()).toBe(opened));
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

describe('failure', () => {
  async function send(...answers: Parameters<typeof serveGraphQL>) {
    const calls = serveGraphQL(...answers);
    const page = showPage();
    await fillIn(page.user);
    await page.user.click(submit());
    return { ...page, calls };
  }

  test('shows the message of the server, keeps the values and can be tried again', async () => {
    const { user, path, calls } = await send(
      refused('Invalid email or password.', { code: 'INVALID_CREDENTIALS' }),
      signedInAnswer(),
    );
    await waitFor(() => expect(alert()).toHaveTextContent(/^Invalid email or password\.$/));
    expect(email()).toHaveValue('anna@example.org');
    expect(password()).toHaveValue('Sailing1!');
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(submit()).toHaveFocus();
    expect(path()).toBe('/signin');
    await user.type(password(), '?');
    expect(alert()).toBeEmptyDOMElement();
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(calls[1]?.variables).toMatchObject({ input: { password: 'Sailing1!?' } });
  });

  test.each([
    [
      'a rate limit',
      refused('Too many attempts. Please wait a moment and try again.', { code: 'RATE_LIMITED' }, 429),
      'Too many attempts. Please wait a moment and try again.',
    ],
    ['an outage', unavailable(), 'The service is briefly unavailable. Please try again in a moment.'],
    [
      'an HTML page of a proxy',
      new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      'An error occurred during sign in',
    ],
    [
      'an error without a message',
      json({ data: null, errors: [{ message: '' }] }),
      'An error occurred during sign in',
    ],
    [
      'a lost network',
      new TypeError('Failed to fetch'),
      'An error occurred during sign in. Please check your connection and try again.',
    ],
    ['an answer without data', json({ data: null }), 'An error occurred during sign in'],
  ])('of %s shows an error', async (_, answer, message) => {
    await send(answer);
    await waitFor(() => expect(alert()).toHaveTextContent(message));
    expect(alert().textContent).toBe(message);
    expect(submit()).toBeEnabled();
  });

  test('about a field shows at that field until the field changes', async () => {
    const { user } = await send(refused('Invalid email address', { code: 'BAD_USER_INPUT', field: 'email' }));
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Invalid email address'));
    await waitFor(() => expect(email()).toHaveFocus());
    expect(alert()).toBeEmptyDOMElement();
    await user.type(password(), '?');
    expect(email()).toHaveAccessibleDescription('Invalid email address');
    await user.type(email(), 'x');
    expect(email()).toHaveAccessibleDescription('');
  });

  test('about an unknown field shows as an error of the form', async () => {
    await send(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'toString' }));
    await waitFor(() => expect(alert()).toHaveTextContent(/^No such port\.$/));
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

  test('is named by the email without a name', () => {
    showPage({ session: signedIn({ user: { ...ANNA, firstName: '', lastName: '' } }) });
    expect(screen.getByText('You are signed in as anna@example.org')).toBeVisible();
  });

  test('a signed-out visitor sees no notice', () => {
    showPage({ session: signedOut() });
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  });
});
