import { waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { client } from '../lib/api/client';
import { MeDocument } from '../lib/api/generated';
import { json, later, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { ANNA } from '../test/session';
import {
  authenticated,
  CREDENTIALS,
  loggedOut,
  me,
  muteLog,
  open,
  openAs,
  type Page,
  PETR,
  storedToken,
  storeInOtherTab,
  untilCalls,
  untilStatus,
  updated,
} from '../test/sessionStore';

const FIVE_MINUTES = 300_000;
const connectionLost = () => new TypeError('Failed to fetch');
const refused = (message: string, extensions: Record<string, unknown>) =>
  json({ data: null, errors: [{ message, extensions }] });

describe('at start', () => {
  test('without a token nobody is signed in and no request is sent', () => {
    const { session, calls } = open(null);
    expect(session()).toMatchObject({ user: null, isAuthenticated: false, status: 'signed-out' });
    expect(calls).toEqual([]);
  });

  test('with a token the current user is fetched with it', async () => {
    const { answer, send } = later();
    const page = open('anna-1', answer);
    expect(page.session()).toMatchObject({ user: null, isAuthenticated: false, status: 'loading' });
    send(me(ANNA));
    await untilStatus(page, 'signed-in');
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true });
    expect(page.calls).toMatchObject([
      { operationName: 'me', variables: {}, authorization: 'Bearer anna-1' },
    ]);
  });

  test('the query of the current user is never shared with another one', async () => {
    const calls = serveGraphQL(later().answer);
    const another = client.query({ query: MeDocument });
    await waitFor(() => expect(calls).toHaveLength(1));
    const page = open('anna-1', me(ANNA));
    await untilStatus(page, 'signed-in');
    await Promise.all([client.clearStore(), expect(another).rejects.toThrow()]);
  });

  test('a rejected token is logged and removed, and the user silently signed out', async () => {
    const log = muteLog();
    const page = open('stale', unauthenticated());
    await untilStatus(page, 'signed-out');
    expect(page.session()).toMatchObject({ user: null, signedOutByUser: false });
    expect(storedToken()).toBeNull();
    expect(log).toHaveBeenCalledOnce();
  });

  test.each([
    ['an outage', unavailable],
    ['a proxy error', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['a server error', () => json({ data: null, errors: [{ message: 'Oh.' }] }, { status: 500 })],
    [
      'a rate limit',
      () => json({ errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED' } }] }, { status: 429 }),
    ],
    ['a lost network', connectionLost],
    ['an answer without data', () => json({ data: null })],
  ])('%s is logged, keeps the token and is not retried', async (_, failure) => {
    const log = muteLog();
    const page = open('anna-1', failure());
    await untilStatus(page, 'unreachable');
    expect(page.session().isAuthenticated).toBe(false);
    expect(storedToken()).toBe('anna-1');
    expect(page.calls).toHaveLength(1);
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('while unreachable', () => {
  test.each([
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
    ['the tab is shown again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('fetches the user again when %s', async (_, happen) => {
    muteLog();
    const page = open('anna-1', unavailable(), me(ANNA));
    await untilStatus(page, 'unreachable');
    happen();
    await untilStatus(page, 'signed-in');
  });

  test('a hidden tab waits until it is shown', async () => {
    muteLog();
    const page = open('anna-1', unavailable(), me(ANNA));
    await untilStatus(page, 'unreachable');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    expect(page.session().status, 'no fetch has started').toBe('unreachable');
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await untilStatus(page, 'signed-in');
    expect(page.calls).toHaveLength(2);
  });

  test('two calls of refresh share one request', async () => {
    muteLog();
    const { answer, send } = later();
    const page = open('anna-1', unavailable(), answer);
    await untilStatus(page, 'unreachable');
    const both = Promise.all([page.session().refresh(), page.session().refresh()]);
    await untilStatus(page, 'loading');
    send(me(ANNA));
    await both;
    expect(page.session().user).toMatchObject(ANNA);
    expect(page.calls).toHaveLength(2);
  });
});

describe('refresh', () => {
  test('fetches nothing while the user is fresh, whatever happens to the tab', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const page = await openAs(ANNA, 'anna-1', me({ ...ANNA, nickname: 'Anička' }));
    now.mockReturnValue(1_000_000 + FIVE_MINUTES - 1);
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
    await page.session().refresh(FIVE_MINUTES);
    expect(page.calls).toHaveLength(1);
    now.mockReturnValue(1_000_000 + FIVE_MINUTES);
    await page.session().refresh(FIVE_MINUTES);
    expect(page.session().user?.nickname).toBe('Anička');
    expect(page.calls).toHaveLength(2);
  });

  test('keeps the user during an outage', async () => {
    muteLog();
    const page = await openAs(ANNA, 'anna-1', unavailable());
    await page.session().refresh();
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true, status: 'signed-in' });
  });
});

describe.each(['signIn', 'signUp'] as const)('%s', (action) => {
  const input = { ...CREDENTIALS, firstName: 'Anna', lastName: 'Nováková' };
  const run = ({ session }: Page) => session()[action](input);

  test('stores the token and caches the returned user, which the next refresh completes', async () => {
    const page = open(null, authenticated(action), me(ANNA));
    await run(page);
    expect(page.session()).toMatchObject({
      user: { ...ANNA, avatar: null, updatedAt: '' },
      isAuthenticated: true,
      status: 'signed-in',
    });
    expect(storedToken()).toBe('anna-1');
    expect(page.calls).toMatchObject([{ operationName: action, variables: { input }, authorization: null }]);
    await page.session().refresh(FIVE_MINUTES);
    expect(page.session().user).toMatchObject(ANNA);
  });

  test('writes the password into the request body only', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const page = open(null, authenticated(action));
    await run(page);
    const withPassword = stringify.mock.results.filter(({ value }) => String(value).includes(input.password));
    expect(withPassword).toHaveLength(1);
  });

  test('rejects with the error of the server, signs nobody in, and can be tried again', async () => {
    const page = open(
      null,
      refused('No.', { code: 'BAD_USER_INPUT', field: 'email' }),
      authenticated(action),
    );
    await expect(run(page)).rejects.toMatchObject({
      errors: [{ message: 'No.', extensions: { field: 'email' } }],
    });
    expect(page.session().status).toBe('signed-out');
    expect(storedToken()).toBeNull();
    await run(page);
    expect(page.session().user?.firstName).toBe('Anna');
  });

  test('rejects without a message when the answer has no data, so that the form shows its own', async () => {
    const page = open(null, json({ data: null }));
    await expect(run(page)).rejects.toMatchObject({ message: '' });
  });

  test('as another member revokes the previous token', async () => {
    const page = await openAs(PETR, 'petr-1', authenticated(action), loggedOut());
    await run(page);
    expect(page.session().user?.firstName).toBe('Anna');
    await waitFor(() =>
      expect(page.calls[2]).toMatchObject({ operationName: 'logout', authorization: 'Bearer petr-1' }),
    );
    expect(storedToken()).toBe('anna-1');
  });
});

describe('signOut', () => {
  test('revokes the token, then clears the token and the user', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer);
    const signedOut = page.session().signOut();
    await untilCalls(page, 2);
    expect(page.calls[1]).toMatchObject({ operationName: 'logout', authorization: 'Bearer anna-1' });
    expect(page.session().isAuthenticated).toBe(true);
    send(loggedOut());
    await signedOut;
    expect(page.session()).toMatchObject({
      user: null,
      isAuthenticated: false,
      status: 'signed-out',
      signedOutByUser: true,
    });
    expect(storedToken()).toBeNull();
  });

  test.each([
    ['an outage', unavailable()],
    ['a lost network', connectionLost()],
  ])('rejects on %s and keeps the member signed in', async (_, failure) => {
    const page = await openAs(ANNA, 'anna-1', failure);
    await expect(page.session().signOut()).rejects.toThrow();
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true, signedOutByUser: false });
    expect(storedToken()).toBe('anna-1');
  });

  test('succeeds when the server rejects the token', async () => {
    muteLog();
    const page = await openAs(ANNA, 'anna-1', unauthenticated());
    await page.session().signOut();
    expect(page.session()).toMatchObject({ status: 'signed-out', signedOutByUser: true });
  });
});

describe('changePassword', () => {
  const INPUT = { currentPassword: 'Blue-Water9!', newPassword: 'Green-Harbor7!' };
  const changed = () => json({ data: { changePassword: { token: 'anna-2', __typename: 'AuthResult' } } });

  test('replaces the stored token and keeps the member', async () => {
    const page = await openAs(ANNA, 'anna-1', changed(), updated());
    const states: string[] = [];
    page.store.subscribe(() => states.push(page.session().status));
    await page.session().changePassword(INPUT);
    expect(page.calls[1]).toMatchObject({ variables: { input: INPUT }, authorization: 'Bearer anna-1' });
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true });
    expect(states).toEqual(['signed-in']);
    expect(storedToken()).toBe('anna-2');
    await page.session().updateProfile({ firstName: 'Anne' });
    expect(page.calls[2]?.authorization).toBe('Bearer anna-2');
  });

  test('keeps the token of a member who has signed in since', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const finished = page.session().changePassword(INPUT);
    await untilCalls(page, 2);
    storeInOtherTab('petr-1');
    send(changed());
    await finished;
    expect(storedToken()).toBe('petr-1');
  });
});

describe.each<[string, (page: Page) => Promise<void>]>([
  ['signOutEverywhere', ({ session }) => session().signOutEverywhere()],
  [
    'deleteAccount',
    ({ session }) => session().deleteAccount({ currentPassword: 'Blue-Water9!', keepNewsletter: false }),
  ],
])('%s', (name, act) => {
  test('ends the session', async () => {
    const page = await openAs(ANNA, 'anna-1', json({ data: { [name]: true } }));
    await act(page);
    expect(page.calls[1]).toMatchObject({ operationName: name, authorization: 'Bearer anna-1' });
    expect(page.session()).toMatchObject({ status: 'signed-out', signedOutByUser: true });
    expect(storedToken()).toBeNull();
  });

  test('keeps the session on an outage', async () => {
    const page = await openAs(ANNA, 'anna-1', unavailable());
    await expect(act(page)).rejects.toThrow();
    expect(page.session().isAuthenticated).toBe(true);
    expect(storedToken()).toBe('anna-1');
  });

  test('fails with a rejected token, although that ends the session', async () => {
    muteLog();
    const page = await openAs(ANNA, 'anna-1', unauthenticated());
    await expect(act(page)).rejects.toThrow('Please sign in.');
    expect(page.session()).toMatchObject({ status: 'signed-out', signedOutByUser: false });
  });
});

describe('updateProfile', () => {
  test('rejects and silently signs out when the server rejects the token', async () => {
    muteLog();
    const page = await openAs(ANNA, 'anna-1', unauthenticated());
    await expect(page.session().updateProfile({ firstName: 'Anne' })).rejects.toThrow('Please sign in.');
    expect(page.session()).toMatchObject({ user: null, status: 'signed-out', signedOutByUser: false });
    expect(storedToken()).toBeNull();
  });
});

test('the document is marked while there is a token', async () => {
  const isMarked = () => 'member' in document.documentElement.dataset;
  const page = open('anna-1', me(ANNA), loggedOut(), me(PETR));
  expect(isMarked()).toBe(true);
  await untilStatus(page, 'signed-in');
  await page.session().signOut();
  expect(isMarked()).toBe(false);
  storeInOtherTab('petr-1');
  expect(isMarked()).toBe(true);
  await untilStatus(page, 'signed-in');
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
