import { waitFor } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';

import { client } from '../lib/api/client';
import { createSessionStore } from '../session/sessionStore';
import { TOKEN_KEY } from '../session/token';
import { type Answer, json, serveGraphQL } from './graphql';
import { ANNA } from './session';
import type { Member } from '../session/member';

export const PETR: Member = {
  ...ANNA,
  id: '8',
  email: 'petr@example.org',
  firstName: 'Petr',
  lastName: 'Malý',
};
export const CREDENTIALS = { email: ANNA.email, password: 'Blue-Water9!' };

export const me = (member: Member) => json({ data: { me: { ...member, avatar: '', __typename: 'User' } } });
export const loggedOut = () => json({ data: { logout: true } });

/** Return an answer to signIn or signUp for Anna, without the fields that only the `me` query has. */
export function authenticated(mutation: 'signIn' | 'signUp') {
  const user = { ...ANNA, avatar: undefined, updatedAt: undefined, __typename: 'User' };
  return json({ data: { [mutation]: { token: 'anna-1', user, __typename: 'AuthResult' } } });
}

/** Anna's profile after an update. */
export const CHANGED = {
  id: ANNA.id,
  email: ANNA.email,
  firstName: 'Anne',
  lastName: ANNA.lastName,
  nickname: 'Anička',
  phone: '',
  nationality: '',
  updatedAt: '2025-06-01T08:00:00+00:00',
};
export const updated = () => json({ data: { updateProfile: CHANGED } });

const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await client.clearStore();
});

/** Open a page whose storage has this token. */
export function open(token: string | null, ...answers: Answer[]) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  const calls = serveGraphQL(...answers);
  const store = createSessionStore();
  const stop = store.start();
  stops.push(stop);
  return { store, calls, stop, session: () => store.getSnapshot() };
}

export type Page = ReturnType<typeof open>;

export async function openAs(member: Member, token: string, ...answers: Answer[]): Promise<Page> {
  const page = open(token, me(member), ...answers);
  await untilStatus(page, 'signed-in');
  return page;
}

export const untilStatus = ({ session }: Page, status: string) =>
  waitFor(() => expect(session().status).toBe(status));
export const untilCalls = ({ calls }: Page, count: number) =>
  waitFor(() => expect(calls).toHaveLength(count));

export const muteLog = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);

export const storedToken = () => localStorage.getItem(TOKEN_KEY);

/** Store or remove a token as another tab does. */
export function storeInOtherTab(token: string | null) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  else localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue: token }));
}
