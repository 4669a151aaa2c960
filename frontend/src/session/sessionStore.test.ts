import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { client } from '../lib/api/client';
import { loadChunk } from '../lib/loadChunk';
import { type Answer, json, later, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { ANNA } from '../test/session';
import type { Member } from './member';
import { createSessionStore } from './sessionStore';
import { TOKEN_KEY } from './token';

vi.mock('../lib/loadChunk', { spy: true });

const FIVE_MINUTES = 300_000;

const PETR = { ...ANNA, id: '8', email: 'petr@example.org', firstName: 'Petr', lastName: 'Malý' };
const CREDENTIALS = { email: ANNA.email, password: 'Blue-Water9!' };
const me = (member: Member) => json({ data: { me: { ...member, __typename: 'User' } } });
const loggedOut = () => json({ data: { logout: true } });

/** Return an answer to signIn or signUp for Anna, without the fields that only the `me` query has. */
function authenticated(mutation: 'signIn' | 'signUp') {
  const user = { ...ANNA, updatedAt: undefined, __typename: 'User' };
  return json({ data: { [mutation]: { token: 'anna-1', user, __typename: 'AuthResult' } } });
}

/** Anna's profile after an update. */
const CHANGED = { ...ANNA, firstName: 'Anne', nickname: 'Anička', updatedAt: '2025-06-01T08:00:00+00:00' };
const updated = () => json({ data: { updateProfile: CHANGED } });

const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await client.clearStore();
});

/** Open a page whose storage has this token. */
function open(token: string | null, ...answers: Answer[]) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  const calls = serveGraphQL(...answers);
  const store = createSessionStore();
  const stop = store.start();
  stops.push(stop);
  return { store, calls, stop, session: () => store.getSnapshot() };
}

type Page = ReturnType<typeof open>;

async function openAs(member: Member, token: string, ...answers: Answer[]): Promise<Page> {
  const page = open(token, me(member), ...answers);
  await untilStatus(page, 'signed-in');
  return page;
}

const untilStatus = ({ session }: Page, status: string) =>
  waitFor(() => expect(session().status).toBe(status));
const untilCalls = ({ calls }: Page, count: number) => waitFor(() => expect(calls).toHaveLength(count));

const muteLog = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const storedToken = () => localStorage.getItem(TOKEN_KEY);

/** Store or remove a token as another tab does. */
function storeInOtherTab(token: string | null) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  else localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue: token }));
}

const PASSWORDS = { currentPassword: 'Blue-Water9!', newPassword: 'Green-Harbor7!' };

const changed = () => json({ data: { changePassword: { token: 'anna-2', __typename: 'AuthResult' } } });

/** The requests of a session, each with the answer to one that succeeds. */
const REQUESTS = {
  signIn: [(page) => page.session().signIn(CREDENTIALS), () => authenticated('signIn')],
  signUp: [
    (page) => page.session().signUp({ ...CREDENTIALS, firstName: 'Anna', lastName: 'Nováková' }),
    () => authenticated('signUp'),
  ],
  me: [(page) => page.session().refresh(), () => me(ANNA)],
  updateProfile: [(page) => page.session().updateProfile({ nickname: 'Anička' }), updated],
  changePassword: [(page) => page.session().changePassword(PASSWORDS), changed],
  logout: [(page) => page.session().signOut(), loggedOut],
  signOutEverywhere: [
    (page) => page.session().signOutEverywhere(),
    () => json({ data: { signOutEverywhere: true } }),
  ],
  deleteAccount: [
    (page) => page.session().deleteAccount({ currentPassword: 'Blue-Water9!', keepNewsletter: false }),
    () => json({ data: { deleteAccount: true } }),
  ],
} satisfies Record<string, [send: (page: Page) => Promise<unknown>, succeed: () => Answer]>;

const FAILURES = {
  outage: unavailable,
  'bad gateway': () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  'no data': () => json({ data: null }),
  refusal: () => json({ errors: [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT' } }] }),
  'rejected token': unauthenticated,
} satisfies Record<string, () => Answer>;

/** What a page in each state has stored, and the answer to its first request. */
const STATES = {
  'signed-out': [null, me(ANNA)],
  'signed-in': ['anna-1', me(ANNA)],
  unreachable: ['anna-1', unavailable()],
} as const;

type Status = keyof typeof STATES | 'left'; // signed out by the user

test.each<[Status, keyof typeof REQUESTS, keyof typeof FAILURES | 'success', Status, error?: string]>([
  ['signed-out', 'signIn', 'success', 'signed-in'],
  ['signed-out', 'signIn', 'refusal', 'signed-out', 'No.'],
  ['signed-out', 'signIn', 'no data', 'signed-out', ''], // the form shows its own message
  ['signed-out', 'signUp', 'success', 'signed-in'],
  ['signed-in', 'me', 'success', 'signed-in'],
  ['signed-in', 'me', 'outage', 'signed-in'],
  ['signed-in', 'me', 'rejected token', 'signed-out'],
  ['signed-in', 'updateProfile', 'success', 'signed-in'],
  ['signed-in', 'updateProfile', 'rejected token', 'signed-out', 'Please sign in.'],
  ['signed-in', 'changePassword', 'success', 'signed-in'],
  ['signed-in', 'changePassword', 'outage', 'signed-in', 'The service is'],
  ['signed-in', 'logout', 'success', 'left'],
  ['signed-in', 'logout', 'outage', 'signed-in', 'The service is'],
  ['signed-in', 'logout', 'rejected token', 'left'],
  ['signed-in', 'signOutEverywhere', 'success', 'left'],
  ['signed-in', 'signOutEverywhere', 'outage', 'signed-in', 'The service is'],
  ['signed-in', 'deleteAccount', 'success', 'left'],
  ['signed-in', 'deleteAccount', 'rejected token', 'signed-out', 'Please sign in.'],
  ['unreachable', 'me', 'success', 'signed-in'],
  ['unreachable', 'me', 'rejected token', 'signed-out'],
  ['unreachable', 'me', 'outage', 'unreachable'],
  ['unreachable', 'me', 'bad gateway', 'unreachable'],
  ['unreachable', 'me', 'no data', 'unreachable'],
])('%s: %s with %s leads to %s', async (before, operation, answer, after, error) => {
  const log = muteLog();
  const [token, first] = STATES[before as keyof typeof STATES];
  const [send, succeed] = REQUESTS[operation];
  const next = answer === 'success' ? succeed() : FAILURES[answer]();
  const page = token ? open(token, first.clone(), next) : open(null, next);
  await untilStatus(page, before);
  const requests = page.calls.length;
  log.mockClear();
  if (error === undefined) await send(page);
  else await expect(send(page)).rejects.toThrow(error);

  const isIn = after === 'signed-in';
  const stored = operation === 'changePassword' && !error ? 'anna-2' : 'anna-1';
  const isStored = isIn || after === 'unreachable';
  expect(page.session()).toMatchObject({
    status: after === 'left' ? 'signed-out' : after,
    isAuthenticated: isIn,
    signedOutByUser: after === 'left',
    user: isIn ? { firstName: operation === 'updateProfile' ? 'Anne' : 'Anna' } : null,
  });
  expect(storedToken()).toBe(isStored ? stored : null);
  expect('member' in document.documentElement.dataset).toBe(isStored);
  const authorization = token && `Bearer ${token}`;
  expect(page.calls.slice(requests)).toMatchObject([{ operationName: operation, authorization }]);
  const isLogged = answer === 'rejected token' || (operation === 'me' && answer !== 'success');
  expect(log).toHaveBeenCalledTimes(isLogged ? 1 : 0);
});

test('without a token no request is sent; with one the page is loading until the first answer', async () => {
  expect(open(null).calls).toEqual([]);
  const { answer, send } = later();
  const page = open('anna-1', answer);
  expect(page.session()).toMatchObject({ user: null, isAuthenticated: false, status: 'loading' });
  send(me(ANNA));
  await untilStatus(page, 'signed-in');
  expect(page.session().user).toMatchObject(ANNA);
});

test('an unreachable page asks again when the network is back or it is shown, not while it is hidden', async () => {
  muteLog();
  const page = open('anna-1', unavailable(), unavailable(), me(ANNA));
  await untilStatus(page, 'unreachable');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(page.session().status, 'no fetch has started').toBe('unreachable');
  hidden.mockReturnValue(false);
  window.dispatchEvent(new Event('online'));
  expect(page.session().status).toBe('loading');
  await untilStatus(page, 'unreachable');
  document.dispatchEvent(new Event('visibilitychange'));
  await untilStatus(page, 'signed-in');
  expect(page.calls).toHaveLength(3);
});

test('two calls of refresh share one request, and a fresh user is not fetched again', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const page = await openAs(ANNA, 'anna-1', me({ ...ANNA, nickname: 'Anička' }));
  now.mockReturnValue(1_000_000 + FIVE_MINUTES - 1);
  document.dispatchEvent(new Event('visibilitychange'));
  await page.session().refresh(FIVE_MINUTES);
  expect(page.calls).toHaveLength(1);
  now.mockReturnValue(1_000_000 + FIVE_MINUTES);
  await Promise.all([page.session().refresh(FIVE_MINUTES), page.session().refresh(FIVE_MINUTES)]);
  expect(page.session().user?.nickname).toBe('Anička');
  expect(page.calls).toHaveLength(2);
});

test('the next refresh completes the user of signing in', async () => {
  const page = open(null, authenticated('signIn'), me(ANNA));
  await page.session().signIn(CREDENTIALS);
  expect(page.session().user).toMatchObject({ ...ANNA, updatedAt: '' });
  await page.session().refresh(FIVE_MINUTES);
  expect(page.session().user).toMatchObject(ANNA);
});

test.each(['signIn', 'signUp'] as const)(
  '%s as another member revokes the previous token',
  async (operation) => {
    const page = await openAs(PETR, 'petr-1', authenticated(operation), loggedOut());
    await REQUESTS[operation][0](page);
    expect(page.session().user?.firstName).toBe('Anna');
    await untilCalls(page, 3);
    expect(page.calls[2]).toMatchObject({ operationName: 'logout', authorization: 'Bearer petr-1' });
    expect(storedToken()).toBe('anna-1');
  },
);

test('a failed preload is silent, never reloads the page, and the first call tries again', async () => {
  vi.mocked(loadChunk).mockClear();
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk 7 failed.'));
  const page = open(null, authenticated('signIn'));
  page.session().preload();
  await page.session().signIn(CREDENTIALS);
  expect(vi.mocked(loadChunk).mock.calls.map(([, need]) => need)).toEqual(['optional', 'required']);
  expect(page.calls).toHaveLength(1);
});

test('the session lasts as long as the page where the browser blocks storage', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Storage is blocked', 'SecurityError');
    });
  }
  const page = open(null, authenticated('signIn'), loggedOut());
  await page.session().signIn(CREDENTIALS);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(page.session().isAuthenticated).toBe(true);
  await page.session().signOut();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(page.session().status).toBe('signed-out');
  expect(page.calls).toHaveLength(2);
});

const storeSilently = (token: string) => localStorage.setItem(TOKEN_KEY, token);

test.each<[keyof typeof REQUESTS, keyof typeof FAILURES | 'success', (token: string) => void]>([
  ['logout', 'success', storeInOtherTab],
  ['logout', 'success', storeSilently],
  ['me', 'rejected token', storeInOtherTab],
  ['me', 'rejected token', storeSilently],
  ['me', 'success', storeInOtherTab],
  ['changePassword', 'success', storeInOtherTab],
  ['updateProfile', 'success', storeInOtherTab],
])('a newer session of another tab survives the late answer to %s (%s)', async (operation, result, store) => {
  muteLog();
  const [send, succeed] = REQUESTS[operation];
  const late = later();
  const page = await openAs(ANNA, 'anna-1', late.answer, me(PETR));
  const finished = send(page);
  await untilCalls(page, 2);
  store('petr-1');
  late.send(result === 'success' ? succeed() : FAILURES[result]());
  await finished;
  await waitFor(() => expect(page.session().user).toMatchObject(PETR));
  expect(page.calls[2]?.authorization).toBe('Bearer petr-1');
  expect(storedToken()).toBe('petr-1');
});

test('a newer session of another tab is followed, also when it ends, by a hidden tab and one from the back/forward cache', async () => {
  const page = await openAs(ANNA, 'anna-1', me(PETR));
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  storeInOtherTab(null);
  expect(page.session()).toMatchObject({ user: null, status: 'signed-out', signedOutByUser: false });
  storeSilently('petr-1');
  window.dispatchEvent(new Event('pageshow'));
  await untilStatus(page, 'signed-in');
  page.stop();
  storeInOtherTab(null);
  expect(page.session().isAuthenticated).toBe(true);
});

test('a late answer about a user does not replace the member who has signed in since', async () => {
  const { answer, send } = later();
  const page = open('petr-1', answer, authenticated('signIn'), loggedOut());
  await untilCalls(page, 1);
  await page.session().signIn(CREDENTIALS);
  send(me(PETR));
  await page.session().refresh(Infinity);
  await untilCalls(page, 3);
  expect(page.session().user?.firstName).toBe('Anna');
});

test.each<['me' | 'updateProfile', () => Response]>([
  ['me', () => me(ANNA)],
  ['updateProfile', () => json({ data: { updateProfile: { ...CHANGED, updatedAt: ANNA.updatedAt } } })],
])('a late answer to %s does not undo a later update of the profile', async (operation, answer) => {
  const late = later();
  const page = await openAs(ANNA, 'anna-1', late.answer, updated());
  const first = REQUESTS[operation][0](page);
  await untilCalls(page, 2);
  await page.session().updateProfile({ nickname: 'Anička' });
  late.send(answer());
  await first;
  expect(page.session().user).toMatchObject(CHANGED);
});
