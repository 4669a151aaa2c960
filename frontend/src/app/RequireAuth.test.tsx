import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { MemberPageContext, useMember } from '../session/AuthProvider';
import { TOKEN_KEY } from '../session/token';
import { type Answer, json, later, serveGraphQL, unavailable } from '../test/graphql';
import { renderInSite } from '../test/render';
import { ANNA } from '../test/session';
import { focusHeading } from '../lib/pageStart';
import { RequireAuth } from './RequireAuth';

const me = () => json({ data: { me: ANNA } });

const Logbook = () => <h1>{`Logbook of ${useMember().firstName}`}</h1>;

/** Visit a page for members. */
function visit(...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(...answers);
  return renderInSite(
    <MemberPageContext value>
      <RequireAuth>
        <Logbook />
      </RequireAuth>
    </MemberPageContext>,
    { history: ['/logbook'] },
  );
}

const logbook = () => screen.findByRole('heading', { name: 'Logbook of Anna' });

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
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
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
