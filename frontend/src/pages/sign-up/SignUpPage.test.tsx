import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { signedOut } from '../../test/session';
import SignUpPage from './SignUpPage';

const USER = {
  id: '7',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Nováková',
  nickname: '',
  phone: '',
  nationality: '',
  isEmailVerified: false,
  isEmailUndeliverable: false,
  createdAt: '2025-03-01T09:30:00+00:00',
};

const CREATED = 'Account created successfully! Please check your email to verify your account.';

const createdAnswer = () => json({ data: { signUp: { token: 'a.b.c', user: USER } } });

afterEach(() => {
  vi.useRealTimers();
});

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

describe('the form', () => {
  test('loads the calls to the server before the first submit', () => {
    const preload = vi.fn();
    showPage({ session: signedOut({ preload }) });
    expect(preload).toHaveBeenCalledOnce();
  });

  test('has autocomplete attributes for password managers and no native validation', () => {
    showPage();
    expect(field('First name')).toHaveAttribute('autocomplete', 'given-name');
    expect(field('Last name')).toHaveAttribute('autocomplete', 'family-name');
    expect(field('Email')).toHaveAttribute('autocomplete', 'email');
    expect(field('Email')).toHaveAttribute('type', 'email');
    for (const label of ['Password', 'Confirm password']) {
      expect(field(label)).toHaveAttribute('autocomplete', 'new-password');
      expect(field(label)).toHaveAttribute('type', 'password');
      expect(field(label)).toHaveAttribute('minlength', '8');
      expect(field(label)).toHaveAttribute(
        'passwordrules',
        'minlength: 8; maxlength: 128; required: lower; required: upper; required: digit; required: [@$!%*?&];',
      );
    }
    expect(field('Email').form).toHaveAttribute('novalidate');
  });

  test('shows the license number only with a license, and keeps its value', async () => {
    const { user } = showPage();
    expect(screen.queryByLabelText('Captain license number')).not.toBeInTheDocument();
    await user.click(checkbox());
    await user.type(field('Captain license number'), 'CZ-1024');
    await user.click(checkbox());
    expect(screen.queryByLabelText('Captain license number')).not.toBeInTheDocument();
    await user.click(checkbox());
    expect(field('Captain license number')).toHaveValue('CZ-1024');
  });
});

describe('the password', () => {
  test('has a list of its rules, each ticked when met', async () => {
    const { user } = showPage();
    const ticked = () =>
      within(field('Password').closest('form') ?? document.body)
        .getAllByRole('listitem')
        .flatMap(({ textContent }) => (textContent.endsWith('(done)') ? [textContent.slice(0, -7)] : []));
    expect(ticked()).toEqual([]);
    expect(field('Password')).toHaveAccessibleDescription(/At least 8 characters.*A special character/);
    await user.type(field('Password'), 'sail');
    expect(ticked()).toEqual(['A lowercase letter']);
    await user.type(field('Password'), 'ING1!');
    expect(ticked()).toHaveLength(5);
  });
});

test('refuses every field of an empty form at once and focuses the first', async () => {
  const calls = serveGraphQL();
  const { user } = showPage();
  await user.click(checkbox());
  await user.click(submit());
  await waitFor(() => expect(field('First name')).toHaveFocus());
  expect(field('First name')).toHaveAccessibleDescription('First name is required');
  expect(field('Last name')).toHaveAccessibleDescription('Last name is required');
  expect(field('Email')).toHaveAccessibleDescription('Email is required');
  expect(field('Password')).toHaveAccessibleDescription(/^Password is required/);
  expect(field('Confirm password')).toHaveAccessibleDescription('Please confirm your password');
  expect(field('Captain license number')).toHaveAccessibleDescription(
    'License number is required when you have a captain license',
  );
  expect(position()).not.toHaveAttribute('aria-invalid');
  expect(calls).toEqual([]);
});

describe('submitting', () => {
  test('sends everything but the password confirmation', async () => {
    const calls = serveGraphQL(createdAnswer());
    const { user } = showPage();
    await user.click(checkbox());
    fillIn({ ...GOOD, 'First name': ' Anna ', 'Captain license number': ' CZ-1024 ' });
    await user.selectOptions(position(), 'Helmsman');
    await user.click(submit());
    await screen.findByText(CREATED);
    expect(screen.getByText('We’re sending it to anna@example.org.')).toBeVisible();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ operationName: 'signUp' });
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

  test('sends no license number without a license, and no position by default', async () => {
    const calls = serveGraphQL(createdAnswer());
    const { user } = showPage();
    await user.click(checkbox());
    fillIn({ ...GOOD, 'Captain license number': 'C' });
    await user.click(checkbox());
    await user.click(submit());
    await screen.findByText(CREATED);
    expect(calls[0]?.variables).toMatchObject({
      input: { captainLicense: false, captainLicenseNumber: null, favoritePosition: null },
    });
  });
});

describe('success', () => {
  test.each([
    ['redirects to /signin after 3 seconds', false, '/signin'],
    ['does not redirect a visitor who has left the page', true, '/signup'],
  ])('%s', async (_, leaves, destination) => {
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

  test('fills an existing live region and leaves the visitor signed in', async () => {
    serveGraphQL(createdAnswer());
    const { user } = showPage();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    fillIn();
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(CREATED));
    expect(screen.getByRole('heading', { name: 'Welcome Aboard!' })).toHaveFocus();
    expect(screen.getByRole('status')).not.toHaveTextContent('Welcome Aboard!'); // the focus announces it
    expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  });
});
