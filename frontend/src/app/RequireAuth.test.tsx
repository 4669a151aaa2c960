import { screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { beforeAll, expect, test, vi } from 'vitest';

import { MemberPageContext, useAuth, useMember } from '../session/AuthProvider';
import { useDestination } from '../session/destination';
import { TOKEN_KEY } from '../session/token';
import { LazyMemberControls } from '../shell/Account';
import { SignOutButton } from '../shell/SignOutButton';
import { type Answer, json, later, serveGraphQL, unauthenticated, unavailable } from '../test/graphql';
import { renderInSite } from '../test/render';
import { ANNA } from '../test/session';
import { Link } from '../ui/Link';
import { focusHeading } from '../lib/pageStart';
import { RequireAuth } from './RequireAuth';

const me = () => json({ data: { me: ANNA } });

beforeAll(async () => {
  await LazyMemberControls.preload('required');
});

function Logbook() {
  const { firstName } = useMember();
  const { refresh } = useAuth();
  return (
    <>
      <h1>{`Logbook of ${firstName}`}</h1>
      <SignOutButton />
      <button onClick={() => void refresh()}>Look again</button>
    </>
  );
}

/** Render a site whose page /logbook is for members. */
function Site() {
  const { pathname } = useLocation();
  const destination = useDestination();
  if (pathname === '/signin') return <p>{`On to ${destination}`}</p>;
  if (pathname === '/') return <Link to="/logbook">Logbook</Link>;
  return (
    <MemberPageContext value>
      <RequireAuth>
        <Logbook />
      </RequireAuth>
    </MemberPageContext>
  );
}

function visit(...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(...answers);
  return renderInSite(<Site />, { history: ['/', '/logbook'] });
}

const logbook = () => screen.findByRole('heading', { name: 'Logbook of Anna' });
const quietly = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test('shows a status while the member is loading, then moves the focus to the heading of the page', async () => {
  const { answer, send } = later();
  visit(answer);
  expect(await screen.findByRole('status')).toHaveTextContent('Loading your account...');
  expect(screen.queryByRole('link', { name: 'Join the Crew' })).not.toBeInTheDocument();
  focusHeading();
  send(me());
  expect(await logbook()).toHaveFocus();
});

test('keeps an unreachable member signed in, and Retry tries again', async () => {
  quietly();
  const { answer, send } = later();
  const { user, path } = visit(unavailable(), answer);
  expect(await screen.findByText('We couldn’t load your account')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Join the Crew' })).not.toBeInTheDocument();
  expect(screen.getByText(/You are still signed in\.$/)).toBeVisible();
  expect(path()).toBe('/logbook');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(document.body).not.toHaveFocus();
  send(me());
  expect(await logbook()).toHaveFocus();
});

test('a member who signs out on the page goes to /, and is sent to /signin on coming back', async () => {
  const { answer, send } = later();
  const { user, path } = visit(me(), answer);
  await logbook();
  await user.click(screen.getByRole('button', { name: 'Sign Out' }));
  expect(path()).toBe('/logbook');
  send(json({ data: { logout: true } }));
  await waitFor(() => expect(path()).toBe('/'));
  await user.click(screen.getByRole('link', { name: 'Logbook' }));
  expect(path()).toBe('/signin');
});

test('a member whose token is refused is sent to /signin without an alert, and from there back', async () => {
  quietly();
  const { user, path } = visit(me(), unauthenticated());
  await logbook();
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(await screen.findByText('On to /logbook')).toBeVisible();
  expect(path()).toBe('/signin');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
