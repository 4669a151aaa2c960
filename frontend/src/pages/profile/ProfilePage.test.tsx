import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';

import { focusHeading } from '../../lib/pageStart';
import { reloadPage } from '../../lib/reloadPage';
import type { Member } from '../../session/member';
import { TOKEN_KEY } from '../../session/token';
import { type Answer, json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
import { findErrors } from '../../test/validation';
import { profileSchema } from './ProfileForm';
import ProfilePage, { LazyProfileForm } from './ProfilePage';

vi.mock('../../lib/reloadPage', () => ({ reloadPage: vi.fn() }));
// AccountSection.test.tsx tests it.
vi.mock('./AccountSection', () => ({ AccountSection: () => undefined }));

beforeAll(async () => {
  await Promise.all([LazyProfileForm.preload('required'), import('../../session/sessionApi')]);
});

/** Show the page with a fixed session. */
const show = (user: Partial<Member> = {}, language: 'en' | 'cs' = 'en') =>
  renderInSite(<ProfilePage />, { session: signedIn({ user: { ...ANNA, ...user } }), language });

/** Show the page with a real session; `user` is the answer to the `me` query. */
async function visit(user: Partial<Member>, ...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'a token');
  const calls = serveGraphQL(json({ data: { me: { ...ANNA, avatar: '', ...user } } }), ...answers);
  const page = renderInSite(<ProfilePage />);
  await screen.findByRole('heading', { level: 1, name: 'Anna Nováková' });
  return { ...page, calls };
}

/** Return the value of a fact. */
function fact(name: string): HTMLElement {
  const term = screen.getAllByRole('term').find(({ textContent }) => textContent === name);
  const value = term?.parentElement?.querySelector('dd');
  if (!value) throw new Error(`There is no ${name}`);
  return value;
}

const facts = () => screen.getAllByRole('term').map(({ textContent }) => textContent);
const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole('textbox', { name });

test('a profile that loads says so, and then the name of the member takes the focus', async () => {
  localStorage.setItem(TOKEN_KEY, 'a token');
  const { answer, send } = later();
  serveGraphQL(answer);
  renderInSite(<ProfilePage />);
  expect(screen.getByText('Loading your profile...')).toBeVisible();
  focusHeading();
  send(json({ data: { me: { ...ANNA, avatar: '' } } }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Anna Nováková' })).toHaveFocus();
});

test('Retry of a profile that could not be loaded reloads the page', async () => {
  const { user } = renderInSite(<ProfilePage />, { session: signedOut({ status: 'unreachable' }) });
  expect(screen.getByRole('alert')).toHaveTextContent('Failed to load profile data');
  await user.click(button('Retry'));
  expect(reloadPage).toHaveBeenCalledOnce();
});

const dates = ['Member since', 'Last updated'];

test('the read view shows every value that is set', () => {
  show({ nickname: 'Áňa', phone: '+420 777 123 456', nationality: 'Czech' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Anna Nováková$/);
  expect(screen.getByText('“Áňa”')).toBeVisible();
  expect(facts()).toEqual(['Email', 'Email status', 'Phone', 'Nationality', ...dates]);
  expect(fact('Email')).toHaveTextContent(/^anna@example\.orgVerified$/);
  expect(fact('Email status')).toHaveTextContent(/^Your email is verified\.$/);
  expect(fact('Phone')).toHaveTextContent(/^\+420 777 123 456$/);
  expect(fact('Nationality')).toHaveTextContent(/^Czech$/);
});

test('the read view omits what is not set; names an address that a server refuses, and leads to changing it', () => {
  show({ isEmailUndeliverable: true });
  expect(facts()).toEqual(['Email', ...dates]);
  expect(screen.getByText(/nickname under Edit Profile\.$/)).toBeVisible();
  expect(screen.getByText(/the server of anna@example\.org refuses the address/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change email' })).toHaveAttribute('href', '#setting-email');
});

test.each([
  ['en', '2025-03-01T09:30:00+00:00', 'Member since', 'March 1, 2025'],
  ['cs', '2025-03-01T09:30:00+00:00', 'Naposledy změněno', '1. března 2025'],
  ['en', '', 'Last updated', 'Not available'],
  ['cs', 'yesterday', 'Členem od', 'Datum není k dispozici'],
] as const)(
  'the read view writes dates in the long format of the language (%s, %j)',
  (language, date, name, words) => {
    show({ createdAt: date, updatedAt: date }, language);
    expect(fact(name)).toHaveTextContent(words);
  },
);

const ask = async (...answers: Answer[]) => {
  const page = await visit({ isEmailVerified: false }, ...answers);
  expect(fact('Email')).toHaveTextContent(/Unverified$/);
  expect(screen.getByText(/Accounts not verified within 14 days are deleted\.$/)).toBeVisible();
  await page.user.click(button('Resend Verification'));
  return page;
};
const refused = (code: string) =>
  json({ errors: [{ message: 'Several emails have gone out.', extensions: { code } }] });

test('an unverified email has a button that sends the mail again and says so', async () => {
  const { calls } = await ask(json({ data: { resendVerification: true } }));
  expect(await screen.findByText(/^A new email is on its way to anna@example\.org\./)).toBeVisible();
  expect(calls.map(({ operationName }) => operationName)).toEqual(['me', 'resendVerification']);
});

test.each([
  ['RATE_LIMITED', 'The last email went out less than three minutes ago.'],
  ['MAIL_LIMIT_REACHED', 'Several emails have gone out.'],
])('an unverified email says that %s is the reason why none is sent', async (code, text) => {
  await ask(refused(code));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
});

test('an unverified email may have been verified meanwhile', async () => {
  await ask(
    json({ data: { resendVerification: false } }),
    json({ data: { me: { ...ANNA, avatar: '', isEmailVerified: true } } }),
  );
  await waitFor(() => expect(fact('Email')).toHaveTextContent(/Verified$/));
  expect(await screen.findByText('Your email is already verified.')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Your details' })).toHaveFocus();
});

const set = { nickname: 'Áňa', phone: '+420 777 123 456', nationality: 'Czech' };
const updated = (user: Partial<Member>) => json({ data: { updateProfile: { ...ANNA, ...user } } });

async function edit(user: Partial<Member>, ...answers: Answer[]) {
  const page = await visit(user, ...answers);
  await page.user.click(button('Edit Profile'));
  await screen.findByRole('button', { name: 'Save Changes' });
  return page;
}

/** Replace the value of a field at once, which is faster than by keys. */
async function type(user: UserEvent, name: string, text: string) {
  await user.clear(field(name));
  if (text) await user.paste(text);
}

test('the edit form is prefilled and takes the focus; Cancel discards the changes and returns it', async () => {
  const { user, calls } = await edit(set);
  expect(field('First name')).toHaveFocus();
  const values = screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);
  expect(values).toEqual(['Anna', 'Nováková', 'Áňa', 'Czech', '+420 777 123 456']);
  await type(user, 'First name', 'Eva');
  await user.click(button('Cancel'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Anna Nováková');
  expect(button('Edit Profile')).toHaveFocus();
  expect(calls).toHaveLength(1);
});

test('the edit form sends the trimmed values that are not blank', async () => {
  const { user, calls } = await edit(set, updated(set));
  await type(user, 'First name', ' Eva ');
  await type(user, 'Nickname (optional)', '   ');
  await type(user, 'Nationality (optional)', '');
  await user.click(button('Save Changes'));
  await waitFor(() => expect(calls).toHaveLength(2));
  const input = { firstName: 'Eva', lastName: 'Nováková', phone: '+420 777 123 456' };
  expect(calls[1]?.variables).toEqual({ input });
});

test('Remove in the edit form clears a stored value for good', async () => {
  const { user, calls } = await edit({ ...set, phone: '' }, updated({ nationality: 'Slovak' }));
  expect(screen.queryByRole('button', { name: 'Remove: Phone' })).not.toBeInTheDocument();
  await user.click(button('Remove: Nickname'));
  expect(field('Nickname (optional)')).toHaveValue('');
  expect(field('Nickname (optional)')).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Remove: Nickname' })).not.toBeInTheDocument();
  await user.click(button('Remove: Nationality'));
  await user.paste('Slovak');
  await user.click(button('Save Changes'));
  await screen.findByText('Profile updated successfully!');
  expect(calls[1]?.variables).toMatchObject({ input: { nickname: '', nationality: 'Slovak' } });
  expect(button('Edit Profile')).toHaveFocus();
});

test('the edit form cannot be canceled or changed while it is saved', async () => {
  const { answer, send } = later();
  const { user } = await edit({}, answer);
  await type(user, 'First name', 'Eva');
  await user.click(button('Save Changes'));
  expect(await screen.findByRole('button', { name: 'Saving Changes...' })).toBeVisible();
  await user.click(button('Cancel'));
  await user.type(field('Phone (optional)'), '1');
  expect(field('Phone (optional)')).toHaveValue('');
  send(updated({ firstName: 'Eva' }));
  expect(await screen.findByRole('heading', { name: 'Eva Nováková' })).toBeVisible();
});

test('the confirmation of the edit form disappears after 3 seconds', async () => {
  show();
  vi.useFakeTimers();
  for (const name of ['Edit Profile', 'Save Changes']) {
    fireEvent.click(button(name));
    await act(() => vi.advanceTimersByTimeAsync(0));
  }
  await act(() => vi.advanceTimersByTimeAsync(2999));
  expect(screen.getByText('Profile updated successfully!')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.queryByText('Profile updated successfully!')).not.toBeInTheDocument();
});

const JANA = { firstName: 'Jana', lastName: 'Nováková', nickname: '', nationality: '', phone: '' };

test.each([
  ['123456789', false],
  ['+123456789', false],
  ['123456789a', false],
  ['++1234567890', false],
  ['12345.67890', false],
  ['٠١٢٣٤٥٦٧٨٩', false],
  ['1'.repeat(33), false],
  ['1'.repeat(32), true],
  ['+1234567890', true],
  [' +420 (777) 123-456 ', true],
  ['   ', true],
])('the phone number %j is valid: %s', (phone, isValid) => {
  expect(Object.keys(findErrors(profileSchema, { ...JANA, phone }))).toEqual(isValid ? [] : ['phone']);
});

test('every invalid field has its error at once', () => {
  const broken = { firstName: '', lastName: 'N', nickname: 'á'.repeat(151), nationality: '', phone: '12' };
  expect(findErrors(profileSchema, broken)).toMatchObject({
    firstName: { id: 'auth.firstNameRequired' },
    lastName: { id: 'auth.lastNameTooShort' },
    nickname: { id: 'auth.tooLong' },
    phone: { id: 'profile.phoneInvalid' },
  });
});
