import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedOut } from '../../test/session';
import { findErrors } from '../../test/validation';
import { signUpSchema, type SignUpValues } from './signUp.schema';
import SignUpPage from './SignUpPage';

const CREATED = 'Account created successfully! Please check your email to verify your account.';

const createdAnswer = () => json({ data: { signUp: { token: 'a.b.c', user: ANNA } } });

const showPage = (options?: Parameters<typeof renderInSite>[1]) =>
  renderInSite(<SignUpPage />, { history: ['/signup'], ...options });

const GOOD = {
  'First name': 'Anna',
  'Last name': 'Nováková',
  Email: 'anna@example.org',
  Password: 'Sailing1!',
  'Confirm password': 'Sailing1!',
};

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const checkbox = () => screen.getByRole('checkbox', { name: 'I have a captain license' });
const position = () => screen.getByLabelText('Favorite sailing position (optional)');
const submit = () => screen.getByRole('button', { name: 'Create Account' });

function fillIn(values: Record<string, string> = GOOD) {
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } });
}

test('the form has attributes for password managers, no native validation, and preloads its calls', () => {
  const preload = vi.fn();
  showPage({ session: signedOut({ preload }) });
  const autocomplete = Object.keys(GOOD).map((label) => field(label).autocomplete);
  expect(autocomplete).toEqual(['given-name', 'family-name', 'email', 'new-password', 'new-password']);
  expect(field('Email')).toHaveAttribute('type', 'email');
  for (const label of ['Password', 'Confirm password']) {
    expect(field(label)).toMatchObject({ type: 'password', minLength: 8 });
    expect(field(label)).toHaveAttribute(
      'passwordrules',
      'minlength: 8; maxlength: 128; required: lower; required: upper; required: digit; required: [@$!%*?&];',
    );
  }
  expect(field('Email').form).toHaveAttribute('novalidate');
  expect(preload).toHaveBeenCalledOnce();
});

test('the list of the rules of a password ticks those that are met', async () => {
  const { user } = showPage();
  const ticked = () =>
    screen.queryAllByText(/\(done\)$/).map(({ parentElement }) => parentElement?.textContent);
  expect(ticked()).toEqual([]);
  expect(field('Password')).toHaveAccessibleDescription(/At least 8 characters.*A special character/);
  await user.type(field('Password'), 'sail');
  expect(ticked()).toEqual(['A lowercase letter (done)']);
  await user.type(field('Password'), 'ING1!');
  expect(ticked()).toHaveLength(5);
});

test('the form refuses every empty field at once and focuses the first', async () => {
  const calls = serveGraphQL();
  const { user } = showPage();
  await user.click(checkbox());
  await user.click(submit());
  await waitFor(() => expect(field('First name')).toHaveFocus());
  const errors = {
    'First name': 'First name is required',
    'Last name': 'Last name is required',
    Email: 'Email is required',
    Password: /^Password is required/,
    'Confirm password': 'Please confirm your password',
    'Captain license number': 'License number is required when you have a captain license',
  };
  for (const [label, error] of Object.entries(errors))
    expect(field(label)).toHaveAccessibleDescription(error);
  expect(position()).not.toHaveAttribute('aria-invalid');
  expect(calls).toEqual([]);
});

test('signing up sends everything but the confirmation, and leaves the visitor signed in', async () => {
  const calls = serveGraphQL(createdAnswer());
  const { user } = showPage();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  expect(screen.getAllByRole('link', { name: 'Sign In' })).toHaveLength(1);
  await user.click(checkbox());
  fillIn({ ...GOOD, 'First name': ' Anna ', 'Captain license number': ' CZ-1024 ' });
  await user.selectOptions(position(), 'Helmsman');
  await user.click(submit());
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(CREATED));
  expect(screen.getByRole('heading', { name: 'Welcome Aboard!' })).toHaveFocus();
  expect(screen.getByRole('status')).not.toHaveTextContent('Welcome Aboard!'); // the focus announces it
  expect(screen.getByText('We’re sending it to anna@example.org.')).toBeVisible();
  expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.variables).toEqual({
    input: {
      firstName: 'Anna',
      lastName: 'Nováková',
      email: 'anna@example.org',
      password: 'Sailing1!',
      captainLicense: true,
      captainLicenseNumber: 'CZ-1024',
      favoritePosition: 'Helmsman',
    },
  });
});

test('a license number shows and is sent only with a license, and is kept meanwhile', async () => {
  const calls = serveGraphQL(createdAnswer());
  const { user } = showPage();
  const licenseNumber = () => screen.queryByLabelText('Captain license number');
  expect(licenseNumber()).not.toBeInTheDocument();
  await user.click(checkbox());
  fillIn({ ...GOOD, 'Captain license number': 'C' });
  await user.click(checkbox());
  expect(licenseNumber()).not.toBeInTheDocument();
  await user.click(checkbox());
  expect(licenseNumber()).toHaveValue('C');
  await user.click(checkbox());
  await user.click(submit());
  await screen.findByText(CREATED);
  const input = { captainLicense: false, captainLicenseNumber: null, favoritePosition: null };
  expect(calls[0]?.variables).toMatchObject({ input });
});

test.each([
  ['is redirected to /signin after 3 seconds', false, '/signin'],
  ['who has left the page is not redirected', true, '/signup'],
])('a new member %s', async (_, leaves, destination) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false });
  const { path, rerender } = showPage({ session: signedOut({ signUp: () => Promise.resolve() }) });
  fillIn();
  await act(async () => {
    fireEvent.click(submit());
    await vi.advanceTimersByTimeAsync(0);
  });
  await act(() => vi.advanceTimersByTimeAsync(2999));
  expect(path()).toBe('/signup');
  if (leaves) rerender(<h1>Elsewhere</h1>);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(path()).toBe(destination);
});

const VALUES: SignUpValues = {
  firstName: 'Anna',
  lastName: 'Nováková',
  email: 'anna@example.org',
  password: 'Sailing1!',
  confirmPassword: 'Sailing1!',
  captainLicense: false,
  captainLicenseNumber: '',
  favoritePosition: '',
};

const findSignUpErrors = (values: Partial<SignUpValues>) =>
  findErrors(signUpSchema, { ...VALUES, ...values });

const license = (captainLicenseNumber: string) => ({ captainLicense: true, captainLicenseNumber });

test.each<[Partial<SignUpValues>, string, string]>([
  [{ lastName: 'N' }, 'lastName', 'auth.lastNameTooShort'],
  [{ email: 'anna' }, 'email', 'auth.emailInvalid'],
  [{ password: 'Sail1!a', confirmPassword: 'Sail1!a' }, 'password', 'auth.passwordTooShort'],
  [{ confirmPassword: 'Sailing1! ' }, 'confirmPassword', 'auth.passwordsDiffer'],
  [license(' '), 'captainLicenseNumber', 'auth.licenseNumberRequired'],
  [license('C'), 'captainLicenseNumber', 'auth.licenseNumberTooShort'],
  [license('1'.repeat(65)), 'captainLicenseNumber', 'auth.tooLong'],
])('%j is refused at %s with %s only', (values, field, message) => {
  const errors = Object.entries(findSignUpErrors(values)).map(([name, { id }]) => [name, id]);
  expect(errors).toEqual([[field, message]]);
});

test.each<Partial<SignUpValues>>([
  {},
  { ...license('1'.repeat(64)), favoritePosition: 'Helmsman' },
  { captainLicense: false, captainLicenseNumber: 'C' },
  // Letters composed in another way.
  { password: 'Ku\u030an plave 1!', confirmPassword: 'K\u016fn plave 1!' },
])('%j is accepted', (values) => {
  expect(findSignUpErrors(values)).toEqual({});
});
