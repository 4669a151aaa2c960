import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { json, serveGraphQL, unavailable } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { signedIn, signedOut } from '../../test/session';
import { POSITIONS } from './positions';
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
  createdAt: '2025-03-01T09:30:00+00:00',
};

const CREATED = 'Account created successfully! Please check your email to verify your account.';

const createdAnswer = () => json({ data: { signUp: { token: 'a.b.c', user: USER } } });

function refused(message: string, extensions: object, status = 200) {
  return json({ data: null, errors: [{ message, extensions }] }, { status });
}

afterEach(() => void vi.useRealTimers());

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
const alert = () => screen.getByRole('alert');

/** Return the texts of the form's live regions. */
function announced() {
  const regions = submit().closest('form')?.querySelectorAll('[aria-live="polite"], [role="alert"]') ?? [];
  return Array.from(regions, ({ textContent }) => textContent).filter(Boolean);
}

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

  test('offers the 14 positions of the specification, and none as default', () => {
    showPage();
    const options = within(position()).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ text }) => text)).toEqual([
      'No favorite yet',
      ...POSITIONS.map(({ value }) => value),
    ]);
    expect(options).toHaveLength(15);
    expect(position()).toHaveValue('');
  });

  test('links to /signin and home', async () => {
    const { user, path } = showPage();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/signin');
    await user.click(screen.getByRole('link', { name: 'Back to Home' }));
    expect(path()).toBe('/');
    expect(trackedEvents()).toEqual([['button_click', { button: 'back_to_home', location: 'sign-up' }]]);
  });
});

describe('the password', () => {
  test.each([
    ['Password', 'Show password'],
    ['Confirm password', 'Show password confirmation'],
  ])('in %s can be shown', async (label, reveal) => {
    const { user } = showPage();
    await user.type(field(label), 'Sailing1!');
    const button = screen.getByRole('button', { name: reveal });
    expect(button).toHaveAttribute('aria-pressed', 'false');
    await user.click(button);
    expect(field(label)).toHaveAttribute('type', 'text');
    expect(button).toHaveAttribute('aria-pressed', 'true');
    await user.click(button);
    expect(field(label)).toHaveAttribute('type', 'password');
    expect(field(label)).toHaveValue('Sailing1!');
  });

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
    await user.type(field('Password'), 'ING1');
    expect(ticked()).toEqual([
      'At least 8 characters',
      'A lowercase letter',
      'An uppercase letter',
      'A number',
    ]);
    await user.type(field('Password'), '!');
    expect(ticked()).toHaveLength(5);
  });
});

describe('validation', () => {
  test.each([
    ['First name', 'A', 'First name must be at least 2 characters'],
    ['Last name', '', 'Last name is required'],
    ['Email', 'nonsense', 'Invalid email address'],
    ['Password', '', 'Password is required'],
    ['Confirm password', 'Sailing1?', 'Passwords do not match'],
    ['Captain license number', '1'.repeat(65), 'Please use at most 64 characters'],
  ])('refuses %s %j with "%s"', async (label, value, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    fireEvent.click(checkbox());
    const repeated = label === 'Password' ? { 'Confirm password': value || 'Sailing1!' } : {};
    fillIn({ ...GOOD, 'Captain license number': 'CZ-1024', ...repeated, [label]: value });
    await user.click(submit());
    await waitFor(() => expect(field(label)).toHaveAttribute('aria-invalid', 'true'));
    expect(field(label)).toHaveAccessibleDescription(expect.stringContaining(message) as string);
    await waitFor(() => expect(field(label)).toHaveFocus());
    // A missing password also differs from its confirmation.
    const isTwo = label === 'Password' && value === '';
    expect(announced()).toEqual([isTwo ? '2 fields need your attention.' : '1 field needs your attention.']);
    expect(calls).toEqual([]);
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
    expect(announced()).toEqual(['6 fields need your attention.']);
    expect(calls).toEqual([]);
  });

  test('announces the error of the changed field in one live region', async () => {
    const { user } = showPage();
    await user.click(submit());
    await waitFor(() => expect(field('First name')).toHaveFocus());
    await user.type(field('Last name'), 'N');
    await waitFor(() => expect(announced()).toEqual(['Last name must be at least 2 characters']));
    await user.type(field('Last name'), 'o');
    await waitFor(() => expect(announced()).toEqual([]));
    await user.click(submit());
    await waitFor(() => expect(announced()).toEqual(['4 fields need your attention.']));
  });

  test('starts with the first submit and removes an error as soon as it is corrected', async () => {
    const { user } = showPage();
    fillIn({ ...GOOD, 'Confirm password': 'Sailing1' });
    expect(field('Confirm password')).not.toHaveAttribute('aria-invalid');
    await user.click(submit());
    await waitFor(() => expect(field('Confirm password')).toHaveAttribute('aria-invalid', 'true'));
    await user.type(field('Confirm password'), '!');
    await waitFor(() => expect(field('Confirm password')).not.toHaveAttribute('aria-invalid'));
  });

  test('shows its errors in the language of the page', async () => {
    const { user } = showPage({ language: 'cs' });
    await user.click(screen.getByRole('button', { name: 'Vytvořit účet' }));
    await waitFor(() =>
      expect(field('Křestní jméno')).toHaveAccessibleDescription('Křestní jméno je povinné'),
    );
    expect(field('Potvrzení hesla')).toHaveAccessibleDescription('Potvrďte prosím své heslo');
  });
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

  test('sends one request, however often the form is submitted', async () => {
    let succeed: () => void = () => undefined;
    const signUp = vi.fn(() => new Promise<void>((resolve) => (succeed = resolve)));
    const { user } = showPage({ session: signedOut({ signUp }) });
    fillIn();
    await user.dblClick(submit());
    await waitFor(() => expect(signUp).toHaveBeenCalled());
    act(() => field('Email').form?.requestSubmit());
    await act(() => Promise.resolve());
    succeed();
    await screen.findByText(CREATED);
    expect(signUp).toHaveBeenCalledOnce();
  });
});

test('the pending button reads "Creating Account...", keeps the focus and is tracked', async () => {
  const { user } = showPage({ session: signedOut({ signUp: () => new Promise(() => undefined) }) });
  fillIn();
  await user.click(submit());
  const pending = await screen.findByRole('button', { name: 'Creating Account...' });
  expect(pending).toHaveFocus();
  expect(pending).toHaveAttribute('aria-disabled', 'true');
  expect(trackedEvents()).toEqual([['button_click', { button: 'create_account', location: 'sign-up' }]]);
});

describe('success', () => {
  /** Sign up with fake timers. */
  async function signUp() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false });
    let succeed: () => void = () => undefined;
    const session = signedOut({ signUp: () => new Promise((resolve) => (succeed = resolve)) });
    const page = showPage({ session });
    fillIn();
    await act(async () => {
      fireEvent.click(submit());
      await vi.advanceTimersByTimeAsync(0);
    });
    await act(async () => {
      succeed();
      await vi.advanceTimersByTimeAsync(0);
    });
    return page;
  }

  test('replaces the form, takes the focus and is announced', async () => {
    window.scrollTo(0, 300);
    const region = await signUp().then(() => screen.getByRole('status'));
    expect(within(region).getByText(CREATED)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Welcome Aboard!' })).toHaveFocus();
    expect(window.scrollY).toBe(0);
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
  });

  test('redirects to /signin after 3 seconds', async () => {
    const { path } = await signUp();
    await act(() => vi.advanceTimersByTimeAsync(2999));
    expect(path()).toBe('/signup');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(path()).toBe('/signin');
  });

  test('does not redirect a visitor who has left the page', async () => {
    const { path, rerender } = await signUp();
    rerender(<h1>Elsewhere</h1>);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(path()).toBe('/signup');
  });

  test('links to /signin', async () => {
    const { path } = await signUp();
    fireEvent.click(screen.getByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/signin');
  });

  test('fills an existing live region and leaves the visitor signed in', async () => {
    serveGraphQL(createdAnswer());
    const { user } = showPage();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    fillIn();
    await user.click(submit());
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(CREATED));
    expect(Object.entries(localStorage)).toContainEqual([expect.stringMatching(/token$/), 'a.b.c']);
    expect(screen.queryByText(/You are signed in as/)).not.toBeInTheDocument();
  });
});

describe('failure', () => {
  async function send(...answers: Parameters<typeof serveGraphQL>) {
    const calls = serveGraphQL(...answers);
    const page = showPage();
    fireEvent.click(checkbox());
    fillIn({ ...GOOD, 'Captain license number': 'CZ-1024' });
    fireEvent.change(position(), { target: { value: 'Navigator' } });
    await page.user.click(submit());
    return { ...page, calls };
  }

  function expectNothingLost() {
    for (const [label, value] of Object.entries(GOOD)) expect(field(label)).toHaveValue(value);
    expect(checkbox()).toBeChecked();
    expect(field('Captain license number')).toHaveValue('CZ-1024');
    expect(position()).toHaveValue('Navigator');
  }

  test.each([
    ['Email', 'email', 'An account with this email already exists.'],
    ['Password', 'password', 'This password is too common.'],
    ['First name', 'firstName', 'Please remove the invisible control characters'],
    ['Last name', 'lastName', 'Please remove the invisible control characters'],
    ['Captain license number', 'captainLicenseNumber', 'Please use at most 64 characters'],
    ['Favorite sailing position (optional)', 'favoritePosition', 'Please choose one of the listed positions'],
  ])('about %s shows at that field and focuses it', async (label, name, message) => {
    await send(refused(message, { code: 'BAD_USER_INPUT', field: name }));
    await waitFor(() => expect(field(label)).toHaveAttribute('aria-invalid', 'true'));
    expect(field(label)).toHaveAccessibleDescription(expect.stringContaining(message) as string);
    await waitFor(() => expect(field(label)).toHaveFocus());
    expect(alert()).toBeEmptyDOMElement();
    expectNothingLost();
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
      'An error occurred during sign up',
    ],
    [
      'an error without a message',
      json({ data: null, errors: [{ message: '' }] }),
      'An error occurred during sign up',
    ],
    [
      'a lost network',
      new TypeError('Failed to fetch'),
      'An error occurred during sign up. Please check your connection and try again.',
    ],
    ['an answer without data', json({ data: null }), 'An error occurred during sign up'],
  ])('of %s shows an error and keeps the values', async (_, answer, message) => {
    await send(answer);
    await waitFor(() => expect(alert()).not.toBeEmptyDOMElement());
    expect(alert().textContent).toBe(message);
    expect(submit()).toHaveFocus();
    expectNothingLost();
  });

  test('can be tried again', async () => {
    const { user, calls } = await send(new TypeError('Failed to fetch'), createdAnswer());
    await waitFor(() => expect(alert()).not.toBeEmptyDOMElement());
    await user.click(submit());
    await screen.findByText(CREATED);
    expect(calls[1]?.variables).toEqual(calls[0]?.variables);
  });
});

test('a visitor who is already signed in sees a notice above the form', () => {
  showPage({ session: signedIn() });
  expect(screen.getByText('You are signed in as Anna Nováková')).toBeVisible();
  expect(submit()).toBeVisible();
});
