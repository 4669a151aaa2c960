import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import * as notificationSet from '../../features/notifications/notification';
import { client } from '../../lib/api/client';
import type { Member } from '../../session/member';
import { TOKEN_KEY } from '../../session/token';
import { trackedEvents } from '../../test/analytics';
import { type Answer, json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA } from '../../test/session';
import { LazyAccountDialog } from './Setting';
import ProfilePage from './ProfilePage';

beforeAll(() => LazyAccountDialog.preload('required'));
beforeEach(() => void vi.spyOn(notificationSet, 'clearReadNotifications'));
afterEach(() => client.clearStore());

const button = (name: string) => screen.getByRole('button', { name });
const answered = (data: object) => json({ data });

const SETTINGS_URL = 'https://sailing.example/newsletter/manage/a.token/?lang=en#preferences';
const account = (newsletterSettingsUrl: string | null, pendingEmail: string | null = null) =>
  answered({
    account: { pendingEmail, pendingEmailExpiresAt: pendingEmail && '2025-06-04T10:00:00+00:00' },
    newsletterSettingsUrl,
  });

/** Show the settings of a member; the answers follow those to the `me` and `account` queries of the page. */
async function visit(user: Partial<Member>, ...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'a token');
  const calls = serveGraphQL(answered({ me: { ...ANNA, avatar: '', ...user } }), ...answers);
  const page = renderInSite(<ProfilePage />, { history: ['/events', '/profile'] });
  await screen.findByRole('heading', { name: 'Password' });
  await waitFor(() => expect(calls.map(({ operationName }) => operationName)).toContain('account'));
  return { ...page, calls };
}

/** Open the dialog of a setting. */
async function open(name: string, ...answers: Answer[]) {
  const page = await visit({}, ...answers);
  await page.user.click(button(name));
  return { ...page, dialog: within(await screen.findByRole('dialog')) };
}

test.each([
  ['Change password', 'Change password'],
  ['Change email', 'Change email'],
  ['Download as…', 'Your data'],
  ['Sign out everywhere', 'Sign out everywhere?'],
  ['Delete my account', 'Delete your account?'],
])('%s opens a dialog, and Cancel closes it', async (name, title) => {
  const { user, dialog, calls } = await open(name, account(null));
  expect(screen.getByRole('dialog', { name: title })).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(calls).toHaveLength(2);
});

test('a requested change of the email shows until it is canceled', async () => {
  const { user, dialog, calls } = await open(
    'Change email',
    account(null),
    answered({ requestEmailChange: true }),
    account(null, 'new@example.org'),
    answered({ cancelEmailChange: true }),
    account(null),
  );
  await user.type(dialog.getByLabelText('New email'), ' new@example.org ');
  await user.type(dialog.getByLabelText('Current password'), 'Blue-Water9!');
  await user.click(dialog.getByRole('button', { name: 'Send the link' }));
  expect(await screen.findByText(/^Almost done/)).toBeVisible();
  const input = { email: 'new@example.org', currentPassword: 'Blue-Water9!' };
  expect(calls[2]?.variables).toEqual({ input });
  expect(await screen.findByText('A link is on its way to new@example.org.')).toBeVisible();
  await user.click(button('Change email'));
  expect(screen.getByText(/works until June 4, 2025/)).toBeVisible();
  await user.click(button('Cancel the change'));
  expect(await screen.findByText(/^The change has been canceled/)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/^A link is on its way/)).not.toBeInTheDocument());
});

test.each([
  ['Newsletter settings', SETTINGS_URL],
  ['Get the newsletter', null],
])('%s leads to the page of the address, and nobody else learns its personal link', async (name, url) => {
  const { user } = await visit({}, account(url));
  const link = await screen.findByRole('link', { name });
  expect(link).toHaveAttribute('href', url ?? '/newsletter');
  expect(link.getAttribute('referrerpolicy')).toBe(url && 'no-referrer');
  await user.click(link);
  expect(JSON.stringify(trackedEvents())).not.toContain('token');
});

const expectHome = async ({ path }: Awaited<ReturnType<typeof visit>>, toast: string) => {
  await waitFor(() => expect(path()).toBe('/'));
  expect(await screen.findByText(toast)).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  expect(notificationSet.clearReadNotifications).toHaveBeenCalled();
};

test('signing out everywhere ends the session', async () => {
  const page = await open('Sign out everywhere', account(null), answered({ signOutEverywhere: true }));
  await page.user.click(page.dialog.getByRole('button', { name: 'Sign out everywhere' }));
  await expectHome(page, 'You are signed out everywhere. Safe sailing!');
});

const KEEP_NEWSLETTER = 'Keep sending me the newsletter (otherwise the subscription is deleted too)';

test.each([
  ['a subscriber', {}, SETTINGS_URL, false, false],
  ['a subscriber who keeps the newsletter', {}, SETTINGS_URL, true, true],
  ['a member without the newsletter', {}, null, undefined, false],
  // The newsletter may be somebody else's.
  ['a member whose address is not verified', { isEmailVerified: false }, null, undefined, true],
] as const)('the deletion of %s ends the session', async (_, user, settings, ticks, keepNewsletter) => {
  const page = await visit(user, account(settings), answered({ deleteAccount: true }));
  await page.user.click(button('Delete my account'));
  expect(await screen.findByRole('dialog')).toHaveTextContent('The account anna@example.org will be');
  if (ticks === undefined) expect(screen.queryByLabelText(KEEP_NEWSLETTER)).not.toBeInTheDocument();
  if (ticks) await page.user.click(screen.getByLabelText(KEEP_NEWSLETTER));
  await page.user.type(screen.getByLabelText('Current password'), 'Blue-Water9!');
  await page.user.click(button('Delete for good'));
  await expectHome(page, 'Your account has been deleted. Fair winds!');
  expect(page.calls[2]?.variables).toEqual({ input: { currentPassword: 'Blue-Water9!', keepNewsletter } });
});
