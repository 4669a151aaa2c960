import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { type Answer, json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
import SignInPage from './SignInPage';

const VALUES = { email: 'anna@example.org', password: ' Sailing1! ' };

const showPage = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(<SignInPage />, { history: ['/signin'], ...options });

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => screen.getByRole('button', { name: 'Set Sail' });
const pending = () => screen.findByRole('button', { name: 'Signing In...' });
const alert = () => screen.getByRole('alert');
const announced = () => email().form?.querySelector('[aria-live="polite"]')?.textContent;

/** Fill the fields as some password managers do: without an event. */
function fill() {
  email().value = VALUES.email;
  password().value = VALUES.password;
}

/** Submit good values to a server with these answers. */
async function submitTo(...answers: Answer[]) {
  const calls = serveGraphQL(...answers);
  const page = showPage();
  fill();
  await page.user.click(submit());
  return { ...page, calls };
}

const refused = (message: string, extensions: object) => json({ errors: [{ message, extensions }] });

test('the form has autocomplete for password managers, no native validation, and preloads its calls', async () => {
  const preload = vi.fn();
  const { user } = showPage({ session: signedOut({ preload }) });
  expect(email()).toMatchObject({ type: 'email', autocomplete: 'username' });
  expect(password()).toMatchObject({ type: 'password', autocomplete: 'current-password' });
  expect(email().form).toHaveAttribute('novalidate');
  expect(preload).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password()).toHaveProperty('type', 'text');
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

test('an invalid field has an error from the first submit on, counted in the live region; the first takes the focus', async () => {
  const calls = serveGraphQL();
  const { user } = showPage();
  await user.type(password(), '12345');
  await user.tab();
  expect(password()).not.toHaveAttribute('aria-invalid');
  await user.click(submit());
  await waitFor(() => expect(email()).toHaveFocus());
  expect(email()).toHaveAttribute('aria-invalid', 'true');
  expect(email()).toHaveAccessibleDescription('Email is required');
  expect(password()).toHaveAccessibleDescription('Password must be at least 6 characters');
  expect(announced()).toBe('2 fields need your attention.');
  expect(calls).toEqual([]);
});

test('an invalid field that changes has its error announced, and loses it when corrected', async () => {
  const { user } = showPage();
  await user.click(submit());
  await waitFor(() => expect(email()).toHaveFocus());
  await user.type(email(), 'anna');
  await waitFor(() => expect(announced()).toBe('Invalid email address'));
  await user.type(email(), '@example.org');
  await waitFor(() => expect(announced()).toBe(''));
  expect(email()).not.toHaveAttribute('aria-invalid');
});

test('an invalid field keeps its error while the button is pressed, so that the button does not move before the click', async () => {
  const { user } = showPage();
  await user.click(submit());
  expect(screen.getByText('Email is required')).toBeVisible();
  fill();
  await user.pointer({ keys: '[MouseLeft>]', target: submit() });
  expect(screen.getByText('Email is required')).toBeVisible();
});

test('the form, filled in without an event, is sent once, and not again after it has been sent', async () => {
  const { answer, send } = later<undefined>();
  const signIn = vi.fn(() => answer);
  const { user } = showPage({ session: signedOut({ signIn }) });
  fill();
  await user.dblClick(submit());
  await pending();
  act(() => email().form?.requestSubmit());
  act(() => send(undefined));
  await act(() => answer);
  await user.type(password(), '{Enter}');
  expect(await pending()).toBeVisible();
  expect(signIn).toHaveBeenCalledExactlyOnceWith(VALUES);
});

test('an error of the server shows above the button, keeps the values and the focus, and goes with the next change or submit', async () => {
  const refusal = () => refused('Too many attempts.', { code: 'RATE_LIMITED' });
  const { user } = await submitTo(refusal(), refusal(), later().answer);
  await waitFor(() => expect(alert()).toHaveTextContent(/^Too many attempts\.$/));
  expect([email().value, password().value]).toEqual(Object.values(VALUES));
  expect(email()).not.toHaveAttribute('aria-invalid');
  expect(submit()).toHaveFocus();
  await user.type(password(), '?');
  expect(alert()).toBeEmptyDOMElement();
  await user.click(submit());
  await waitFor(() => expect(alert()).toHaveTextContent('Too many attempts.'));
  await user.click(submit());
  expect(await pending()).toBeVisible();
  expect(alert()).toBeEmptyDOMElement();
});

test('an error of the server about a field shows at that field, which takes the focus, until the next change', async () => {
  const { user } = await submitTo(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'email' }));
  await waitFor(() => expect(email()).toHaveAccessibleDescription('No such port.'));
  await waitFor(() => expect(email()).toHaveFocus());
  expect(alert()).toBeEmptyDOMElement();
  await user.type(email(), 'x');
  await waitFor(() => expect(email()).toHaveAccessibleDescription(''));
});

test.each([
  ['about an unknown field', refused('No such port.', { field: 'toString' }), /^No such port\.$/],
  ['without a message', new TypeError('Failed to fetch'), /^An error occurred during sign in\. Please check/],
])('an error of the server %s is one of the form', async (_, answer, text) => {
  await submitTo(answer);
  await waitFor(() => expect(alert()).toHaveTextContent(text));
});

test('signing in sends the password untrimmed, stores the token and opens /dashboard', async () => {
  const { path, calls } = await submitTo(json({ data: { signIn: { token: 'a.b.c', user: ANNA } } }));
  await waitFor(() => expect(path()).toBe('/dashboard'));
  expect(calls).toMatchObject([{ operationName: 'signIn', variables: { input: VALUES } }]);
  expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
  // The test keeps showing this page, as the product does while the next one loads.
  expect(await pending()).toBeVisible();
  expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
});

test('a visitor who has left the page is not redirected', async () => {
  const { answer, send } = later<undefined>();
  const { user, path, rerender } = showPage({ session: signedOut({ signIn: () => answer }) });
  fill();
  await user.click(submit());
  await pending();
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
