import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useNavigate } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { client } from '../../lib/api/client';
import * as notificationSet from '../../features/notifications/notification';
import type { Member } from '../../session/member';
import { TOKEN_KEY } from '../../session/token';
import { trackedEvents, watchButtons } from '../../test/analytics';
import { type Answer, json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA } from '../../test/session';
import { LazyAccountPanel } from './account/Setting';
import ProfilePage from './ProfilePage';

beforeAll(() => LazyAccountPanel.preload('required'));

beforeEach(() => void vi.spyOn(notificationSet, 'clearReadNotifications'));
afterEach(() => client.clearStore());

const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByLabelText(name);
const refused = (message: string, extensions: object) =>
  json({ data: null, errors: [{ message, extensions }] });
const answered = (data: object) => json({ data });

const SETTINGS_URL = 'https://sailing.example/newsletter/manage/a.token/?lang=en#preferences';
const none = (newsletterSettingsUrl: string | null = null) =>
  answered({ account: { pendingEmail: null, pendingEmailExpiresAt: null }, newsletterSettingsUrl });
const pending = () =>
  answered({
    account: { pendingEmail: 'new@example.org', pendingEmailExpiresAt: '2025-06-04T10:00:00+00:00' },
    newsletterSettingsUrl: null,
  });

function Back() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate(-1)}>Back</button>;
}

/** Expect that the page has been replaced by `/`, with a toast and without the member's data. */
async function expectHome({ user, path }: Awaited<ReturnType<typeof visit>>, toast: string) {
  await waitFor(() => expect(path()).toBe('/'));
  expect(await screen.findByText(toast)).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  expect(notificationSet.clearReadNotifications).toHaveBeenCalled();
  await user.click(button('Back'));
  expect(path()).toBe('/events');
}

/** Show the settings of a member; the answers follow those to the `me` and `account` queries of the page. */
async function visit(user: Partial<Member>, ...answers: Answer[]) {
  return visitWith(none(), user, ...answers);
}

/** `account`: the answer to what the page itself asks. */
async function visitWith(account: Answer, user: Partial<Member>, ...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'a token');
  const me = json({ data: { me: { ...ANNA, avatar: '', ...user } } });
  const calls = serveGraphQL(me, account, ...answers);
  const page = renderInSite(
    <>
      <ProfilePage />
      <Back />
    </>,
    { history: ['/events', '/profile'] },
  );
  await screen.findByRole('heading', { name: 'Password' });
  await waitFor(() => expect(calls.map(({ operationName }) => operationName)).toContain('account'));
  return { ...page, calls };
}

/** Open one of the settings, and return its row. */
async function open(name: string, ...answers: Answer[]) {
  const page = await visit({}, ...answers);
  const row = button(name).closest('li');
  await page.user.click(button(name));
  await waitFor(() => expect(screen.queryByText('Opening...')).not.toBeInTheDocument());
  if (!row) throw new Error(`${name} is not in a row`);
  return { ...page, row, result: () => within(row).getByRole('status') };
}

/** Fill in an empty field at once, which is faster than by keys. */
async function fill(user: UserEvent, input: HTMLElement, text: string) {
  await user.click(input);
  await user.paste(text);
}

describe('changing the password', () => {
  test('tells password managers which is which, checks the rules before sending, and closes on Cancel', async () => {
    const { user, calls } = await open('Change password');
    expect(field('Current password')).toHaveFocus();
    expect(field('Current password')).toHaveAttribute('autocomplete', 'current-password');
    expect(field('New password')).toHaveAttribute('autocomplete', 'new-password');
    expect(field('New password')).toHaveAttribute('minlength', '8');
    expect(field('New password')).toHaveAttribute(
      'passwordrules',
      expect.stringContaining('required: upper;'),
    );
    await fill(user, field('New password'), 'short');
    await user.click(button('Save new password'));
    await waitFor(() => expect(field('Current password')).toHaveFocus());
    expect(field('Current password')).toHaveAccessibleDescription('Please enter your current password');
    expect(field('New password')).toHaveAccessibleDescription(
      expect.stringContaining('Password must be at least 8 characters'),
    );
    await user.click(button('Cancel'));
    expect(button('Change password')).toHaveFocus();
    expect(button('Change password')).toHaveAttribute('aria-expanded', 'false');
    expect(calls).toHaveLength(2);
  });
});

describe('changing the email', () => {
  const request = async (...answers: Answer[]) => {
    const page = await open('Change email', none(), ...answers);
    await fill(page.user, await screen.findByLabelText('New email'), ' new@example.org ');
    await fill(page.user, field('Current password'), 'Blue-Water9!');
    await page.user.click(button('Send the link'));
    return page;
  };

  test('says that a link is on its way, and offers to cancel', async () => {
    const { result, calls } = await request(answered({ requestEmailChange: true }), pending());
    await waitFor(() => expect(result()).toHaveTextContent(/^Almost done/));
    expect(calls[3]?.variables).toEqual({
      input: { email: 'new@example.org', currentPassword: 'Blue-Water9!' },
    });
    expect(button('Cancel the change')).toBeVisible();
    expect(screen.getByText(/^A link is on its way to/).parentElement).toHaveTextContent('new@example.org');
    expect(screen.getByText(/your email stays anna@example.org/)).toBeVisible();
    expect(await screen.findByText(/works until June 4, 2025/)).toBeVisible();
  });

  test('says so even if nobody knows when the link expires', async () => {
    await request(answered({ requestEmailChange: true }), new TypeError('Failed to fetch'));
    expect((await screen.findByText(/^A link is on its way to/)).parentElement).toHaveTextContent(
      'new@example.org',
    );
    expect(button('Cancel the change')).toBeVisible();
  });

  test('without a pending change the panel stays closed, and so it does when that is not known', async () => {
    await visitWith(refused('The service is briefly unavailable.', { code: 'UNAVAILABLE' }), {});
    expect(button('Change email')).toHaveAttribute('aria-expanded', 'false');
  });

  test('a failed query can be retried', async () => {
    const lost = new TypeError('Failed to fetch');
    const { user } = await open('Change email', lost, lost, none());
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(await screen.findByLabelText('New email')).toBeVisible();
  });
});

describe('the newsletter', () => {
  test.each([
    ['Newsletter settings', SETTINGS_URL],
    ['Get the newsletter', null],
  ])('%s leads to the page of the address, whose personal link nobody else learns', async (name, url) => {
    const { user } = await visitWith(none(url), {});
    const link = await screen.findByRole('link', { name });
    expect(link).toHaveAttribute('href', url ?? '/newsletter');
    expect(link.getAttribute('referrerpolicy')).toBe(url && 'no-referrer');
    await user.click(link);
    expect(JSON.stringify(trackedEvents())).not.toContain('token');
  });
});

describe('the download', () => {
  test('says why it failed', async () => {
    const { user } = await open('Download as…', refused('Too many downloads.', { code: 'RATE_LIMITED' }));
    await user.click(button('To read (HTML)'));
    expect(await screen.findByText('Too many downloads.')).toBeVisible();
  });
});

describe('signing out everywhere', () => {
  test('asks first, then goes to / and says so', async () => {
    const page = await open('Sign out everywhere', answered({ signOutEverywhere: true }));
    const dialog = screen.getByRole('dialog', { name: 'Sign out everywhere?' });
    expect(page.calls).toHaveLength(2);
    await page.user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    await expectHome(page, 'You are signed out everywhere. Safe sailing!');
  });

  test('stays open on Escape until the server has answered', async () => {
    const { answer, send } = later();
    const { user } = await open('Sign out everywhere', answer);
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    await user.keyboard('{Escape}');
    send(refused('The service is briefly unavailable.', { code: 'UNAVAILABLE' }));
    expect(await dialog.findByText('The service is briefly unavailable.')).toBeVisible();
    expect(screen.getByRole('dialog')).toBeVisible();
  });

  test('keeps the session when it fails, and when it is canceled', async () => {
    const { user, path } = await open('Sign out everywhere', new TypeError('Failed to fetch'));
    const dialog = screen.getByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    expect(await within(dialog).findByText(/^Logout failed/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(path()).toBe('/profile');
    expect(localStorage.getItem(TOKEN_KEY)).toBe('a token');
  });
});

describe('deleting the account', () => {
  const KEEP_NEWSLETTER = 'Keep sending me the newsletter (otherwise the subscription is deleted too)';

  const submit = async (page: Awaited<ReturnType<typeof open>>) => {
    await fill(page.user, field('Current password'), 'Blue-Water9!');
    await page.user.click(button('Delete for good'));
  };

  test.each([
    [false, []],
    [true, [KEEP_NEWSLETTER]],
  ])(
    'names the consequence and sends the choice about the newsletter: keep %s',
    async (keepNewsletter, ticks) => {
      const { answer, send } = later();
      const page = await open('Delete my account', none(SETTINGS_URL), answer);
      expect(screen.getByRole('dialog')).toHaveTextContent(
        'The account anna@example.org will be deleted at once',
      );
      expect(await screen.findByLabelText(KEEP_NEWSLETTER)).not.toBeChecked();
      for (const name of ticks) await page.user.click(field(name));
      await submit(page);
      expect(button('Deleting...')).toHaveAttribute('aria-disabled', 'true');
      send(answered({ deleteAccount: true }));
      await expectHome(page, 'Your account has been deleted. Fair winds!');
      expect(page.calls[3]?.variables).toEqual({
        input: { currentPassword: 'Blue-Water9!', keepNewsletter },
      });
    },
  );

  test('offers to keep no newsletter that the member does not get, and stays open until the server has answered', async () => {
    const { answer, send } = later();
    const page = await open('Delete my account', none(), answer);
    await screen.findByLabelText('Current password');
    expect(screen.queryByLabelText(KEEP_NEWSLETTER)).not.toBeInTheDocument();
    await submit(page);
    await page.user.keyboard('{Escape}');
    send(refused('The service is briefly unavailable.', { code: 'UNAVAILABLE' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(await dialog.findByText('The service is briefly unavailable.')).toBeVisible();
    expect(page.calls[3]?.variables).toMatchObject({ input: { keepNewsletter: false } });
    await page.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('leaves alone the newsletter of an address that is not verified', async () => {
    const { user, calls } = await visit({ isEmailVerified: false }, answered({ deleteAccount: true }));
    await user.click(button('Delete my account'));
    await screen.findByRole('dialog');
    expect(screen.queryByLabelText(KEEP_NEWSLETTER)).not.toBeInTheDocument();
    await fill(user, field('Current password'), 'Blue-Water9!');
    await user.click(button('Delete for good'));
    await waitFor(() => expect(calls[2]?.variables).toMatchObject({ input: { keepNewsletter: true } }));
  });
});

test('the buttons are tracked without personal data', async () => {
  const pressed = watchButtons();
  const { user } = await open('Change password');
  await user.click(button('Cancel'));
  await user.click(button('Delete my account'));
  expect(pressed).toEqual(['change_password', 'cancel', 'delete_account']);
});
