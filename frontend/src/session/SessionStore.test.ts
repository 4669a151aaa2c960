import { gql } from '@apollo/client';
import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { client } from '../graphql/client';
import { MeDocument } from '../graphql/generated';
import { type Answer, json, later, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { ANNA } from '../test/session';
import type { Member } from './AuthProvider';
import { SessionStore } from './SessionStore';
import { TOKEN_KEY } from './TokenStorage';

const PETR: Member = { ...ANNA, id: '8', email: 'petr@example.org', firstName: 'Petr', lastName: 'Malý' };
const CREDENTIALS = { email: ANNA.email, password: 'Blue-Water9!' };
const FIVE_MINUTES = 300_000;

const me = (member: Member) => json({ data: { me: { ...member, avatar: '', __typename: 'User' } } });
const loggedOut = () => json({ data: { logout: true } });
const connectionLost = () => new TypeError('Failed to fetch');

/** What signing in or up answers: all but what the current-user query alone tells. */
function entered(mutation: 'signIn' | 'signUp', token: string, member: Member) {
  const { id, email, firstName, lastName, nickname, phone, nationality, isEmailVerified, createdAt } = member;
  const user = { id, email, firstName, lastName, nickname, phone, nationality, isEmailVerified, createdAt };
  return json({
    data: { [mutation]: { token, user: { ...user, __typename: 'User' }, __typename: 'AuthResult' } },
  });
}

/** What Anna's profile is answered to be after an update. */
const CHANGED = {
  id: ANNA.id,
  email: ANNA.email,
  firstName: 'Anne',
  lastName: ANNA.lastName,
  nickname: 'Anička',
  phone: '',
  nationality: '',
  updatedAt: '2025-06-01T08:00:00+00:00',
};
const updated = () => json({ data: { updateProfile: CHANGED } });

function refusal(message: string, extensions: Record<string, unknown>) {
  return json({ data: null, errors: [{ message, extensions }] });
}

const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await client.clearStore();
});

/** The session of a page that opens with this token in its storage, and the calls it makes. */
function open(token: string | null, ...answers: Answer[]) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  const calls = serveGraphQL(...answers);
  const store = new SessionStore();
  stops.push(store.start());
  return { store, calls, session: () => store.getSnapshot() };
}

type Page = ReturnType<typeof open>;

async function openAs(member: Member, token: string, ...answers: Answer[]): Promise<Page> {
  const page = open(token, me(member), ...answers);
  await settled(page, 'signed-in');
  return page;
}

const settled = ({ session }: Page, status: string) => waitFor(() => expect(session().status).toBe(status));

const log = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const stored = () => localStorage.getItem(TOKEN_KEY);

/** What the browser tells this tab after another one has stored, or removed, a token. */
function otherTabStores(token: string | null) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  else localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue: token }));
}

describe('at start', () => {
  test('without a token nobody is signed in, and nothing is asked', () => {
    const { session, calls } = open(null);
    expect(session()).toMatchObject({ user: null, isAuthenticated: false, status: 'signed-out' });
    expect(calls).toEqual([]);
  });

  test('with a token the current user is fetched, with it in the header, and kept', async () => {
    const { answer, send } = later();
    const page = open('anna-1', answer);
    expect(page.session()).toMatchObject({ user: null, isAuthenticated: false, status: 'loading' });
    send(me(ANNA));
    await settled(page, 'signed-in');
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true });
    expect(page.calls).toMatchObject([
      { operationName: 'me', variables: {}, authorization: 'Bearer anna-1' },
    ]);
  });

  test('the current user is asked for whoever else is asking', async () => {
    serveGraphQL(later().answer);
    const another = client.query({ query: MeDocument });
    const page = open('anna-1', me(ANNA));
    await settled(page, 'signed-in');
    await Promise.all([client.clearStore(), expect(another).rejects.toThrow()]);
  });

  test('the page as it is rendered at build time is nobody’s, whatever the storage says', () => {
    const { store } = open('anna-1', me(ANNA));
    expect(store.getServerSnapshot()).toMatchObject({ user: null, status: 'signed-out' });
  });

  test('a token that the server refuses is removed, which is logged, and the visitor quietly signed out', async () => {
    const logged = log();
    const page = open('stale', unauthenticated());
    await settled(page, 'signed-out');
    expect(page.session()).toMatchObject({ user: null, hasLeft: false });
    expect(stored()).toBeNull();
    expect(logged).toHaveBeenCalledOnce();
  });

  test.each([
    ['an outage', unavailable],
    ['a proxy in trouble', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['an accident of the server', () => json({ data: null, errors: [{ message: 'Oh.' }] }, { status: 500 })],
    [
      'too many calls',
      () => json({ errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED' } }] }, { status: 429 }),
    ],
    ['a lost network', connectionLost],
    ['an answer without data', () => json({ data: null })],
  ])(
    '%s keeps the token: the user is out of reach, which is logged, and asked for once',
    async (_, failure) => {
      const logged = log();
      const page = open('anna-1', failure());
      await settled(page, 'unreachable');
      expect(page.session().isAuthenticated).toBe(false);
      expect(stored()).toBe('anna-1');
      expect(page.calls).toHaveLength(1);
      expect(logged).toHaveBeenCalledOnce();
    },
  );
});

describe('out of reach', () => {
  test.each([
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
    ['the tab shows again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('the user is asked for again when %s', async (_, happen) => {
    log();
    const page = open('anna-1', unavailable(), me(ANNA));
    await settled(page, 'unreachable');
    happen();
    await settled(page, 'signed-in');
  });

  test('a hidden tab does not ask again', async () => {
    log();
    const page = open('anna-1', unavailable());
    await settled(page, 'unreachable');
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    // Time enough for a call.
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.calls).toHaveLength(1);
  });

  test('Retry fetches the user, who is loading meanwhile; asked twice, once', async () => {
    log();
    const { answer, send } = later();
    const page = open('anna-1', unavailable(), answer);
    await settled(page, 'unreachable');
    const both = Promise.all([page.session().refresh(), page.session().refresh()]);
    await settled(page, 'loading');
    send(me(ANNA));
    await both;
    expect(page.session().user).toMatchObject(ANNA);
    expect(page.calls).toHaveLength(2);
  });
});

describe('the current user', () => {
  test('is fresh for 300 seconds, then fetched anew', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const page = await openAs(ANNA, 'anna-1', me({ ...ANNA, nickname: 'Anička' }));
    now.mockReturnValue(1_000_000 + FIVE_MINUTES - 1);
    await page.session().refresh(FIVE_MINUTES);
    expect(page.calls).toHaveLength(1);
    now.mockReturnValue(1_000_000 + FIVE_MINUTES);
    await page.session().refresh(FIVE_MINUTES);
    expect(page.session().user?.nickname).toBe('Anička');
    expect(page.calls).toHaveLength(2);
  });

  test('is not fetched again because the tab has the focus or shows again', async () => {
    const page = await openAs(ANNA, 'anna-1');
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
    await page.session().refresh(FIVE_MINUTES);
    expect(page.calls).toHaveLength(1);
  });

  test('stays when fetching anew meets an outage', async () => {
    log();
    const page = await openAs(ANNA, 'anna-1', unavailable());
    await page.session().refresh();
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true, status: 'signed-in' });
  });
});

describe.each(['signIn', 'signUp'] as const)('%s', (way) => {
  const input = { ...CREDENTIALS, firstName: 'Anna', lastName: 'Nováková' };
  const enter = ({ session }: Page) => session()[way](input);

  test('stores the token and caches the returned user, without asking for them', async () => {
    const page = open(null, entered(way, 'anna-1', ANNA));
    await enter(page);
    expect(page.session()).toMatchObject({
      user: { ...ANNA, avatar: null, updatedAt: '' },
      isAuthenticated: true,
      status: 'signed-in',
    });
    expect(stored()).toBe('anna-1');
    expect(page.calls).toMatchObject([{ operationName: way, variables: { input }, authorization: null }]);
  });

  test('what it did not say of the user is fetched for the first screen that shows them', async () => {
    const page = open(null, entered(way, 'anna-1', ANNA), me(ANNA));
    await enter(page);
    await page.session().refresh(FIVE_MINUTES);
    expect(page.session().user).toMatchObject(ANNA);
  });

  test('submitted twice, makes one call', async () => {
    const page = open(null, entered(way, 'anna-1', ANNA));
    await Promise.all([enter(page), enter(page)]);
    expect(page.calls).toHaveLength(1);
  });

  test('submitted twice at once, keeps the password in no text that outlives the comparison', async () => {
    const texts = vi.spyOn(JSON, 'stringify');
    const page = open(null, entered(way, 'anna-1', ANNA));
    await Promise.all([enter(page), enter(page)]);
    const withPassword = texts.mock.results.filter(({ value }) => String(value).includes(input.password));
    expect(withPassword).toHaveLength(1); // the body of the request
  });

  test('submitted with other values, makes a call of its own, though one is under way', async () => {
    const { answer, send } = later();
    const page = open(null, answer, entered(way, 'petr-1', PETR));
    const first = enter(page);
    await page.session()[way]({ ...input, email: PETR.email });
    expect(page.session().user?.firstName).toBe('Petr');
    send(refusal('No.', { code: 'INVALID_CREDENTIALS' }));
    await expect(first).rejects.toThrow('No.');
    expect(page.calls.map(({ variables }) => variables)).toEqual([
      { input },
      { input: { ...input, email: PETR.email } },
    ]);
  });

  test('refused, rejects with what the server said, and nobody is signed in', async () => {
    const page = open(null, refusal('No.', { code: 'BAD_USER_INPUT', field: 'email' }));
    await expect(enter(page)).rejects.toMatchObject({
      errors: [{ message: 'No.', extensions: { field: 'email' } }],
    });
    expect(page.session().status).toBe('signed-out');
    expect(stored()).toBeNull();
  });

  test('refused, it can be tried again', async () => {
    const page = open(null, refusal('No.', { code: 'BAD_USER_INPUT' }), entered(way, 'anna-1', ANNA));
    await expect(enter(page)).rejects.toThrow('No.');
    await enter(page);
    expect(page.session().user?.firstName).toBe('Anna');
  });

  test('an answer without data rejects without words, so that the page’s own are shown', async () => {
    const page = open(null, json({ data: null }));
    await expect(enter(page)).rejects.toMatchObject({ message: '' });
  });

  test('as someone else ends the session before, on the server too', async () => {
    const page = await openAs(PETR, 'petr-1', entered(way, 'anna-1', ANNA), loggedOut());
    await enter(page);
    expect(page.session().user?.firstName).toBe('Anna');
    await waitFor(() =>
      expect(page.calls[2]).toMatchObject({ operationName: 'logout', authorization: 'Bearer petr-1' }),
    );
    expect(stored()).toBe('anna-1');
  });
});

describe('signing out', () => {
  test('tells the server, then forgets the token, the user and all that is cached', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer);
    client.writeQuery({ query: gql('{ logbook }'), data: { logbook: 'Kept by a page' } });
    const left = page.session().signOut();
    await waitFor(() => expect(page.calls).toHaveLength(2));
    expect(page.calls[1]).toMatchObject({ operationName: 'logout', authorization: 'Bearer anna-1' });
    expect(page.session().isAuthenticated).toBe(true);
    send(loggedOut());
    await left;
    expect(page.session()).toMatchObject({
      user: null,
      isAuthenticated: false,
      status: 'signed-out',
      hasLeft: true,
    });
    expect(stored()).toBeNull();
    expect(client.extract()).toEqual({});
  });

  test.each([
    ['an outage', unavailable()],
    ['a lost network', connectionLost()],
  ])('that meets %s rejects, and the member stays signed in', async (_, failure) => {
    const page = await openAs(ANNA, 'anna-1', failure);
    await expect(page.session().signOut()).rejects.toThrow();
    expect(page.session()).toMatchObject({ user: ANNA, isAuthenticated: true, hasLeft: false });
    expect(stored()).toBe('anna-1');
  });

  test('with a token that does not count any more succeeds: it was to become useless', async () => {
    log();
    const page = await openAs(ANNA, 'anna-1', unauthenticated());
    await page.session().signOut();
    expect(page.session()).toMatchObject({ status: 'signed-out', hasLeft: true });
  });

  test('asked for twice, makes one call', async () => {
    const page = await openAs(ANNA, 'anna-1', loggedOut());
    await Promise.all([page.session().signOut(), page.session().signOut()]);
    expect(page.calls).toHaveLength(2);
  });

  test('leaves alone who signed in in another tab meanwhile', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const left = page.session().signOut();
    await waitFor(() => expect(page.calls).toHaveLength(2));
    otherTabStores('petr-1');
    send(loggedOut());
    await left;
    await settled(page, 'signed-in');
    expect(page.session().user?.firstName).toBe('Petr');
    expect(stored()).toBe('petr-1');
  });
});

describe('a token that another tab has stored, of which this one has not heard yet,', () => {
  test('outlives the refusal of the one before: the member is the new one', async () => {
    log();
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const update = page.session().updateProfile({ firstName: 'Anne' });
    await waitFor(() => expect(page.calls).toHaveLength(2));
    localStorage.setItem(TOKEN_KEY, 'petr-1');
    send(unauthenticated());
    await expect(update).rejects.toThrow('Please sign in.');
    await settled(page, 'signed-in');
    expect(page.session().user).toMatchObject(PETR);
    expect(stored()).toBe('petr-1');
    expect(page.calls[2]?.authorization).toBe('Bearer petr-1');
  });

  test('outlives signing out here', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const left = page.session().signOut();
    await waitFor(() => expect(page.calls).toHaveLength(2));
    localStorage.setItem(TOKEN_KEY, 'petr-1');
    send(loggedOut());
    await left;
    await settled(page, 'signed-in');
    expect(page.session().user).toMatchObject(PETR);
    expect(stored()).toBe('petr-1');
  });
});

describe('an answer that comes late', () => {
  test('about a user does not replace who has signed in since', async () => {
    const { answer, send } = later();
    const page = open('petr-1', answer, entered('signIn', 'anna-1', ANNA), loggedOut());
    await waitFor(() => expect(page.calls).toHaveLength(1));
    await page.session().signIn(CREDENTIALS);
    send(me(PETR));
    await page.session().refresh(Infinity);
    await waitFor(() => expect(page.calls).toHaveLength(3));
    expect(page.session().user?.firstName).toBe('Anna');
  });

  test('about a user is none about who signed in in another tab: they are asked for', async () => {
    const { answer, send } = later();
    const page = open('petr-1', answer, me(ANNA));
    await waitFor(() => expect(page.calls).toHaveLength(1));
    otherTabStores('anna-1');
    await settled(page, 'signed-in');
    send(me(PETR));
    await page.session().refresh(Infinity);
    expect(page.session().user?.firstName).toBe('Anna');
    expect(page.calls[1]?.authorization).toBe('Bearer anna-1');
  });

  test('about a token that was refused does not sign out who has signed in since', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const update = page.session().updateProfile({ firstName: 'Anne' });
    await waitFor(() => expect(page.calls).toHaveLength(2));
    otherTabStores('petr-1');
    await settled(page, 'signed-in');
    send(unauthenticated());
    await expect(update).rejects.toThrow('Please sign in.');
    expect(page.session().user?.firstName).toBe('Petr');
    expect(stored()).toBe('petr-1');
  });

  test('does not undo a profile that was changed since', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, updated());
    const refreshed = page.session().refresh();
    await waitFor(() => expect(page.calls).toHaveLength(2));
    await page.session().updateProfile({ nickname: 'Anička' });
    send(me(ANNA));
    await refreshed;
    expect(page.session().user?.nickname).toBe('Anička');
  });
});

describe('a profile update', () => {
  test('with another input is a call of its own, though one is under way', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, updated());
    const first = page.session().updateProfile({ firstName: 'Eva' });
    await page.session().updateProfile({ phone: '+420 777 123 456' });
    expect(page.calls.slice(1).map(({ variables }) => variables)).toEqual([
      { input: { firstName: 'Eva' } },
      { input: { phone: '+420 777 123 456' } },
    ]);
    // What is known is what was stored last, not what was answered last.
    send(json({ data: { updateProfile: { ...CHANGED, firstName: 'Eva', updatedAt: ANNA.updatedAt } } }));
    await first;
    expect(page.session().user).toMatchObject(CHANGED);
  });

  test('with the same input is no second call while one is under way', async () => {
    const page = await openAs(ANNA, 'anna-1', updated());
    const twice = [1, 2].map(() => page.session().updateProfile({ firstName: 'Anne' }));
    await Promise.all(twice);
    expect(page.calls).toHaveLength(2);
  });

  test('replaces the cached user by what the server answers, and keeps the rest', async () => {
    const page = await openAs(ANNA, 'anna-1', updated());
    await page.session().updateProfile({ firstName: 'Anne', nickname: 'Anička' });
    expect(page.session().user).toMatchObject({ ...ANNA, ...CHANGED });
    expect(page.calls[1]).toMatchObject({
      operationName: 'updateProfile',
      variables: { input: { firstName: 'Anne', nickname: 'Anička' } },
      authorization: 'Bearer anna-1',
    });
  });

  test('that fails rejects with what the server said, and changes nothing', async () => {
    const page = await openAs(ANNA, 'anna-1', refusal('No.', { code: 'BAD_USER_INPUT', field: 'phone' }));
    await expect(page.session().updateProfile({ phone: '1' })).rejects.toThrow('No.');
    expect(page.session().user).toMatchObject(ANNA);
  });

  test('of a token that counts no more rejects, and signs out quietly', async () => {
    log();
    const page = await openAs(ANNA, 'anna-1', unauthenticated());
    await expect(page.session().updateProfile({ firstName: 'Anne' })).rejects.toThrow('Please sign in.');
    expect(page.session()).toMatchObject({ user: null, status: 'signed-out', hasLeft: false });
    expect(stored()).toBeNull();
  });

  test('answered after someone else has signed in is none of theirs', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const update = page.session().updateProfile({ firstName: 'Anne' });
    await waitFor(() => expect(page.calls).toHaveLength(2));
    otherTabStores('petr-1');
    await settled(page, 'signed-in');
    send(updated());
    await update;
    expect(page.session().user).toMatchObject(PETR);
  });
});

describe('the verification mail', () => {
  test('is sent again', async () => {
    const page = await openAs(ANNA, 'anna-1', json({ data: { resendVerification: true } }));
    expect(await page.session().resendVerification()).toBe(true);
    expect(page.calls[1]).toMatchObject({
      operationName: 'resendVerification',
      authorization: 'Bearer anna-1',
    });
  });

  test('is not needed when the address was verified meanwhile, which the page then knows', async () => {
    const unverified = { ...ANNA, isEmailVerified: false };
    const page = await openAs(unverified, 'anna-1', json({ data: { resendVerification: false } }), me(ANNA));
    expect(await page.session().resendVerification()).toBe(false);
    await waitFor(() => expect(page.session().user?.isEmailVerified).toBe(true));
  });

  test('that is asked for too often rejects with what the server said', async () => {
    const page = await openAs(ANNA, 'anna-1', refusal('Please wait.', { code: 'RATE_LIMITED' }));
    await expect(page.session().resendVerification()).rejects.toThrow('Please wait.');
  });
});

describe('in another tab', () => {
  test('who signs in is signed in here', async () => {
    const page = open(null, me(ANNA));
    otherTabStores('anna-1');
    await settled(page, 'signed-in');
    expect(page.session().user).toMatchObject(ANNA);
  });

  test('who signs out is signed out here, and nothing stays cached', async () => {
    const page = await openAs(ANNA, 'anna-1');
    client.writeQuery({ query: gql('{ logbook }'), data: { logbook: 'Kept by a page' } });
    otherTabStores(null);
    expect(page.session()).toMatchObject({ user: null, status: 'signed-out', hasLeft: false });
    await waitFor(() => expect(client.extract()).toEqual({}));
  });

  test('who signs in as someone else is someone else here', async () => {
    const page = await openAs(ANNA, 'anna-1', me(PETR));
    otherTabStores('petr-1');
    expect(page.session()).toMatchObject({ user: null, status: 'loading' });
    await settled(page, 'signed-in');
    expect(page.session().user).toMatchObject(PETR);
  });

  test('who signs out is signed out in a hidden tab too', async () => {
    const page = await openAs(ANNA, 'anna-1');
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    otherTabStores(null);
    expect(page.session().status).toBe('signed-out');
  });

  test('what happened while this page slept is seen when it comes back', async () => {
    const page = await openAs(ANNA, 'anna-1');
    localStorage.clear();
    window.dispatchEvent(new Event('pageshow'));
    expect(page.session().status).toBe('signed-out');
  });
});

describe('a browser that closes its storage to the page', () => {
  function closeStorage() {
    const refuse = () => {
      throw new DOMException('The storage is closed', 'SecurityError');
    };
    for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
      vi.spyOn(Storage.prototype, method).mockImplementation(refuse);
    }
  }

  test('keeps the session as long as the page is open', async () => {
    closeStorage();
    const page = open(null, entered('signIn', 'anna-1', ANNA), loggedOut());
    await page.session().signIn(CREDENTIALS);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(page.session().isAuthenticated).toBe(true);
    await page.session().signOut();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(page.session().status).toBe('signed-out');
    expect(page.calls).toHaveLength(2);
  });
});

test('what is over does not listen any more', async () => {
  const page = await openAs(ANNA, 'anna-1');
  stops.pop()?.();
  otherTabStores(null);
  expect(page.session().isAuthenticated).toBe(true);
});
