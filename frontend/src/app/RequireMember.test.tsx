import { screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { beforeAll, expect, test, vi } from 'vitest';

import { type Session, useAuth } from '../session/AuthProvider';
import { useDestination } from '../session/destination';
import { TOKEN_KEY } from '../session/TokenStorage';
import { useMember } from '../session/AuthProvider';
import { memberControls } from '../shell/memberBar';
import { useSignOut } from '../shell/useSignOut';
import { type Answer, json, later, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { renderInSite } from '../test/render';
import { ANNA } from '../test/session';
import { Link } from '../ui/Link';
import { AwaitMember } from './AwaitMember';
import { RequireMember } from './RequireMember';

const me = () => json({ data: { me: ANNA } });

beforeAll(async () => {
  await memberControls.load('en');
});

function Logbook() {
  const signOut = useSignOut();
  const { firstName } = useMember();
  const { refresh } = useAuth();
  return (
    <>
      <h1>Logbook of {firstName}</h1>
      <button onClick={() => void signOut()}>Leave</button>
      <button onClick={() => void refresh()}>Look again</button>
    </>
  );
}

/** A site of three pages: /logbook is for members. */
function Site() {
  const { pathname } = useLocation();
  const destination = useDestination();
  if (pathname === '/signin') return <p>On to {destination}</p>;
  if (pathname === '/') return <Link to="/logbook">Logbook</Link>;
  return (
    <RequireMember>
      <AwaitMember>
        <Logbook />
      </AwaitMember>
    </RequireMember>
  );
}

function visit(address: string, { token, answers = [] }: { token?: string; answers?: Answer[] } = {}) {
  if (token) localStorage.setItem(TOKEN_KEY, token);
  const calls = serveGraphQL(...answers);
  return { calls, ...renderInSite(<Site />, { history: ['/', address] }) };
}

const logbook = () => screen.findByRole('heading', { name: 'Logbook of Anna' });
const quietly = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test('a signed-out visitor of a member’s page is sent to /signin, and from there to the page asked for', () => {
  const { path } = visit('/logbook?year=2025#june');
  expect(path()).toBe('/signin');
  expect(screen.getByText('On to /logbook?year=2025#june')).toBeVisible();
});

test('a member sees the page', async () => {
  const { path } = visit('/logbook', { token: 'anna-1', answers: [me()] });
  expect(await logbook()).toBeVisible();
  expect(path()).toBe('/logbook');
});

test('while the member is on their way a status says so, and nobody is sent anywhere', async () => {
  const { answer, send } = later();
  const { path } = visit('/logbook', { token: 'anna-1', answers: [answer] });
  expect(await screen.findByText('Loading your account...')).toHaveRole('status');
  expect(path()).toBe('/logbook');
  send(me());
  expect(await logbook()).toBeVisible();
});

test('a member out of reach stays signed in, and Retry tries again', async () => {
  quietly();
  const { answer, send } = later();
  const { user, path } = visit('/logbook', { token: 'anna-1', answers: [unavailable(), answer] });
  expect(await screen.findByText('We cannot reach your account')).toBeVisible();
  expect(screen.getByText(/You are still signed in\.$/)).toBeVisible();
  expect(path()).toBe('/logbook');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(document.body).not.toHaveFocus();
  send(me());
  expect(await logbook()).toBeVisible();
});

test('who signs out there goes to /', async () => {
  const { user, path } = visit('/logbook', {
    token: 'anna-1',
    answers: [me(), json({ data: { logout: true } })],
  });
  await logbook();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(path()).toBe('/'));
});

test('who comes back after signing out is sent to /signin', async () => {
  const { user, path } = visit('/logbook', {
    token: 'anna-1',
    answers: [me(), json({ data: { logout: true } })],
  });
  await logbook();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await user.click(await screen.findByRole('link', { name: 'Logbook' }));
  expect(path()).toBe('/signin');
});

test('whose token is refused there is quietly sent to /signin, and from there back', async () => {
  quietly();
  const { user, path } = visit('/logbook', { token: 'anna-1', answers: [me(), unauthenticated()] });
  await logbook();
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(await screen.findByText('On to /logbook')).toBeVisible();
  expect(path()).toBe('/signin');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test.each<Session['status']>(['loading', 'unreachable'])(
  'a visitor whose session is %s is offered no other way in',
  async (status) => {
    quietly();
    const answer = status === 'loading' ? new Promise<Response>(() => undefined) : unavailable();
    visit('/logbook', { token: 'anna-1', answers: [answer] });
    await screen.findByText(status === 'loading' ? /^Loading/ : /^We cannot reach/);
    expect(screen.queryByRole('link', { name: 'Join the Crew' })).not.toBeInTheDocument();
  },
);
