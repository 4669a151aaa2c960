import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { loadChunk } from '../../lazy/loadChunk';
import { trackedEvents } from '../../test/analytics';
import { json, serveGraphQL, unavailable } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
import { SignInPage } from './SignInPage';

vi.mock('../../lazy/loadChunk', { spy: true });

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

const welcomed = () => json({ data: { signIn: { token: 'a.b.c', user: USER } } });

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

describe('what is asked', () => {
  test('password managers are told which field is which, and the browser has no bubbles of its own', () => {
    showPage();
    expect(email()).toHaveAttribute('type', 'email');
    expect(email()).toHaveAttribute('autocomplete', 'username');
    expect(password()).toHaveAttribute('type', 'password');
    expect(password()).toHaveAttribute('autocomplete', 'current-password');
    expect(email().form).toHaveAttribute('novalidate');
  });

  test("'Forgot Password?' leads to /forgot-password", async () => {
    const { user, path } = showPage();
    await user.click(screen.getByRole('link', { name: 'Forgot Password?' }));
    expect(path()).toBe('/forgot-password');
  });

  test("'Join the Crew' leads to /signup", async () => {
    const { user, path } = showPage();
    await user.click(screen.getByRole('link', { name: 'Join the Crew' }));
    expect(path()).toBe('/signup');
  });

  test("'Continue with Google (Coming Soon)' is disabled", () => {
    showPage();
    expect(screen.getByRole('button', { name: 'Continue with Google (Coming Soon)' })).toBeDisabled();
  });
});

describe('what is refused', () => {
  test.each([
    ['a blank email', ' ', 'Email is required'],
    ['a malformed email', 'nonsense', 'Invalid email address'],
    ['an email that is too long', `${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
  ])('%s', async (_, address, message) => {
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
    ['a password of 5 characters', '12345', 'Password must be at least 6 characters'],
    ['a password of 129 characters', 'x'.repeat(129), 'Password must be at most 128 characters'],
  ])('%s', async (_, secret, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await fillIn(user, { secret });
    await user.click(submit());
    await waitFor(() => expect(password()).toHaveAccessibleDescription(message));
    await waitFor(() => expect(password()).toHaveFocus());
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(calls).toEqual([]);
  });

  test('both fields at once, when both are blank; the first one gets the focus', async () => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Email is required'));
    expect(password()).toHaveAccessibleDescription('Password is required');
    await waitFor(() => expect(email()).toHaveFocus());
    expect(calls).toEqual([]);
  });

  test('nothing before the visitor submits', async () => {
    const { user } = showPage();
    await user.type(email(), 'nonsense');
    await user.type(password(), '1');
    await user.tab();
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(password()).not.toHaveAttribute('aria-invalid');
  });

  test('nothing any more, as soon as it is right', async () => {
    const { user } = showPage();
    await user.type(email(), 'anna');
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAttribute('aria-invalid', 'true'));
    await user.type(email(), '@example.org');
    await waitFor(() => expect(email()).not.toHaveAttribute('aria-invalid'));
    expect(email()).toHaveAccessibleDescription('');
  });

  test('in Czech on a Czech page', async () => {
    const { user } = showPage({ language: 'cs' });
    await user.click(screen.getByRole('button', { name: 'Vyplout' }));
    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('E-mail je povinný'),
    );
    expect(screen.getByLabelText('Heslo')).toHaveAccessibleDescription('Heslo je povinné');
  });
});

describe('what is sent', () => {
  test('the email without the space around it, and the password as it was typed', async () => {
    const calls = serveGraphQL(welcomed());
    const { user, path } = showPage();
    // A no-break space, as word processors leave it; plain ones the browser itself takes off.
    await fillIn(user, { address: '\u00a0anna@example.org\u00a0', secret: ' Sailing1! ' });
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ operationName: 'signIn' });
    expect(calls[0]?.variables).toEqual({ input: { email: 'anna@example.org', password: ' Sailing1! ' } });
  });

  test('once, however often it is asked for', async () => {
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

  test("counts as a press of 'Set Sail'", async () => {
    const { user } = showPage({ session: signedOut() });
    await user.click(submit());
    expect(trackedEvents()).toEqual([['button_click', { button: 'set_sail', location: 'sign-in' }]]);
  });
});

test("while it is under way, the button reads 'Signing In...' and keeps the focus", async () => {
  const { user } = showPage({ session: signedOut({ signIn: () => new Promise(() => undefined) }) });
  await fillIn(user);
  await user.click(submit());
  const pending = await screen.findByRole('button', { name: 'Signing In...' });
  expect(pending).toHaveFocus();
  expect(pending).toHaveAttribute('aria-disabled', 'true');
});

describe('success', () => {
  test('leads to /dashboard, with the token stored', async () => {
    serveGraphQL(welcomed());
    const { user, path } = showPage();
    await fillIn(user);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
  });

  test('leads to the page that was asked for, when one sent the visitor here', async () => {
    const { user, path } = showPage({
      history: [{ pathname: '/signin', state: { from: '/profile' } }],
      session: signedOut(),
    });
    await fillIn(user);
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/profile'));
  });

  test('leads nowhere once the visitor has left', async () => {
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

  test('says nothing of a session that was there before, while the next page comes', async () => {
    serveGraphQL(welcomed());
    const { user, path } = showPage();
    await fillIn(user);
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/dashboard'));
    // The test shows this page whatever the address, as a page does whose successor is being loaded.
    expect(screen.getByRole('button', { name: 'Signing In...' })).toBeVisible();
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
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

  test('of email and password shows the message of the server, and keeps what was typed', async () => {
    const { path } = await send(refused('Invalid email or password.', { code: 'INVALID_CREDENTIALS' }));
    await waitFor(() => expect(alert()).toHaveTextContent(/^Invalid email or password\.$/));
    expect(email()).toHaveValue('anna@example.org');
    expect(password()).toHaveValue('Sailing1!');
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(submit()).toHaveFocus();
    expect(path()).toBe('/signin');
  });

  test('can be tried again, with other words', async () => {
    const { user, path, calls } = await send(
      refused('Invalid email or password.', { code: 'INVALID_CREDENTIALS' }),
      welcomed(),
    );
    await waitFor(() => expect(alert()).not.toBeEmptyDOMElement());
    await user.type(password(), '?');
    expect(alert()).toBeEmptyDOMElement();
    await user.click(submit());
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(calls[1]?.variables).toMatchObject({ input: { password: 'Sailing1!?' } });
  });

  test.each([
    [
      'too many tries',
      refused('Too many attempts. Please wait a moment and try again.', { code: 'RATE_LIMITED' }, 429),
      'Too many attempts. Please wait a moment and try again.',
    ],
    [
      'a server whose database is away',
      unavailable(),
      'The service is briefly unavailable. Please try again in a moment.',
    ],
    [
      'a page of a proxy',
      new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      'An error occurred during sign in',
    ],
    [
      'an error without words',
      json({ data: null, errors: [{ message: '' }] }),
      'An error occurred during sign in',
    ],
    [
      'a lost network',
      new TypeError('Failed to fetch'),
      'An error occurred during sign in. Please check your connection and try again.',
    ],
    ['an answer without words', json({ data: null }), 'An error occurred during sign in'],
  ])('%s is told', async (_, answer, message) => {
    await send(answer);
    await waitFor(() => expect(alert()).toHaveTextContent(message));
    expect(alert().textContent).toBe(message);
    expect(submit()).toBeEnabled();
  });

  test('about a field shows at that field until it changes', async () => {
    const { user } = await send(refused('Invalid email address', { code: 'BAD_USER_INPUT', field: 'email' }));
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Invalid email address'));
    await waitFor(() => expect(email()).toHaveFocus());
    expect(alert()).toBeEmptyDOMElement();
    await user.type(password(), '?');
    expect(email()).toHaveAccessibleDescription('Invalid email address');
    await user.type(email(), 'x');
    expect(email()).toHaveAccessibleDescription('');
  });

  test('about something that is no field of the form is told of the form', async () => {
    await send(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'toString' }));
    await waitFor(() => expect(alert()).toHaveTextContent(/^No such port\.$/));
  });
});

test('what signs in is loaded as soon as the form shows, not on submitting', () => {
  showPage({ session: signedOut() });
  expect(loadChunk).toHaveBeenCalledOnce();
});

describe('a visitor who is signed in already', () => {
  test('stays, and learns so above the form, with a way to the dashboard', async () => {
    const { user, path } = showPage({ session: signedIn() });
    expect(screen.getByText('You are signed in as Anna Nováková')).toBeVisible();
    expect(path()).toBe('/signin');
    expect(submit()).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
    expect(path()).toBe('/dashboard');
  });

  test('is named by the email where there is no name', () => {
    showPage({ session: signedIn({ user: { ...ANNA, firstName: '', lastName: '' } }) });
    expect(screen.getByText('You are signed in as anna@example.org')).toBeVisible();
  });

  test('is nobody while signed out', () => {
    showPage({ session: signedOut() });
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  });
});
