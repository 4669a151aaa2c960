import { waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { json, later, unauthenticated } from '../test/graphql';
import { ANNA } from '../test/session';
import {
  authenticated,
  CHANGED,
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
import { TOKEN_KEY } from './token';

describe('a newer token that another tab has stored', () => {
  test.each<[string, (page: Page) => Promise<unknown>, Response]>([
    ['signing out here', ({ session }) => session().signOut(), loggedOut()],
    [
      'the rejection of the old token',
      ({ session }) =>
        expect(session().updateProfile({ firstName: 'Anne' })).rejects.toThrow('Please sign in.'),
      unauthenticated(),
    ],
  ])('survives %s, whether or not the storage event has arrived', async (_, act, response) => {
    muteLog();
    for (const store of [storeInOtherTab, (token: string) => localStorage.setItem(TOKEN_KEY, token)]) {
      const { answer, send } = later();
      const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
      const finished = act(page);
      await untilCalls(page, 2);
      store('petr-1');
      send(response.clone());
      await finished;
      await waitFor(() => expect(page.session().user).toMatchObject(PETR));
      expect(page.calls[2]?.authorization).toBe('Bearer petr-1');
      expect(storedToken()).toBe('petr-1');
      page.stop();
    }
  });
});

describe('a late answer', () => {
  test('about a user does not replace the member who has signed in since', async () => {
    const { answer, send } = later();
    const page = open('petr-1', answer, authenticated('signIn'), loggedOut());
    await untilCalls(page, 1);
    await page.session().signIn(CREDENTIALS);
    send(me(PETR));
    await page.session().refresh(Infinity);
    await untilCalls(page, 3);
    expect(page.session().user?.firstName).toBe('Anna');
  });

  test('about a user does not replace the member who has signed in in another tab', async () => {
    const { answer, send } = later();
    const page = open('petr-1', answer, me(ANNA));
    await untilCalls(page, 1);
    storeInOtherTab('anna-1');
    await untilStatus(page, 'signed-in');
    send(me(PETR));
    await page.session().refresh(Infinity);
    expect(page.session().user?.firstName).toBe('Anna');
    expect(page.calls[1]?.authorization).toBe('Bearer anna-1');
  });

  test('of a refresh does not undo a profile update', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, updated());
    const refreshed = page.session().refresh();
    await untilCalls(page, 2);
    await page.session().updateProfile({ nickname: 'Anička' });
    send(me(ANNA));
    await refreshed;
    expect(page.session().user?.nickname).toBe('Anička');
  });

  test('to the earlier of two profile updates does not undo the later one', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, updated());
    const first = page.session().updateProfile({ firstName: 'Eva' });
    await page.session().updateProfile({ phone: '+420 777 123 456' });
    send(json({ data: { updateProfile: { ...CHANGED, firstName: 'Eva', updatedAt: ANNA.updatedAt } } }));
    await first;
    expect(page.session().user).toMatchObject(CHANGED);
  });

  test('to a profile update does not change the member who has signed in since', async () => {
    const { answer, send } = later();
    const page = await openAs(ANNA, 'anna-1', answer, me(PETR));
    const update = page.session().updateProfile({ firstName: 'Anne' });
    await untilCalls(page, 2);
    storeInOtherTab('petr-1');
    await untilStatus(page, 'signed-in');
    send(updated());
    await update;
    expect(page.session().user).toMatchObject(PETR);
  });
});

describe('follows another tab', () => {
  test('that signs out, in a hidden tab too', async () => {
    const page = await openAs(ANNA, 'anna-1');
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    storeInOtherTab(null);
    expect(page.session()).toMatchObject({ user: null, status: 'signed-out', signedOutByUser: false });
  });

  test('when the page returns from the back/forward cache', async () => {
    const page = await openAs(ANNA, 'anna-1');
    localStorage.clear();
    window.dispatchEvent(new Event('pageshow'));
    expect(page.session().status).toBe('signed-out');
  });

  test('until it is stopped', async () => {
    const page = await openAs(ANNA, 'anna-1');
    page.stop();
    storeInOtherTab(null);
    expect(page.session().isAuthenticated).toBe(true);
  });
});
