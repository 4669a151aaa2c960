import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { Session } from '../session/AuthProvider';
import { renderInSite } from '../test/render';
import { ANNA, signedIn, signedOut } from '../test/session';
import { Link } from '../ui/Link';
import type { MemberBar } from './memberBar';
import { memberControls } from './memberBar';
import { AUDIENCE_MENU } from './menus';
import { NavBar } from './NavBar';
import { OverlayMenu } from './OverlayMenu';
import { VisitorMenu } from './VisitorMenu';

beforeAll(async () => {
  await Promise.all([memberControls.load('en'), memberControls.load('cs')]);
});

beforeEach(() => window.scrollTo(0, 0));

const MENU = 'the menu of the page';

function showBar(
  props: Partial<Parameters<typeof NavBar>[0]> = {},
  surroundings: Parameters<typeof renderInSite>[1] = {},
) {
  return renderInSite(<NavBar menu={MENU} {...props} />, surroundings);
}

function showMemberBar(bar: MemberBar = {}, session: Session = signedIn(), history = ['/marketplace']) {
  return showBar(bar, { session, history });
}

const bar = () => screen.getByRole('banner');
const main = () => within(screen.getByRole('navigation', { name: 'Main navigation' }));
const lines = (list: HTMLElement) =>
  within(list)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

/** The menu that a button shows, opened. */
async function openMenu(user: ReturnType<typeof renderInSite>['user'], name: string) {
  const button = screen.getByRole('button', { name });
  await user.click(button);
  const list = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (!list) throw new Error('The button controls nothing');
  return list;
}

test('the logo goes to /', () => {
  showBar();
  expect(screen.getByRole('link', { name: 'Sailing, home page' })).toHaveAttribute('href', '/');
});

test('the bar gains its blur and darkening past 50 pixels of scroll, and loses them above', async () => {
  showBar();
  expect(bar()).toHaveAttribute('data-scrolled', 'false');
  window.scrollTo({ top: 50 });
  expect(bar()).toHaveAttribute('data-scrolled', 'false');
  window.scrollTo({ top: 51 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-scrolled', 'true'));
  window.scrollTo({ top: 50 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-scrolled', 'false'));
});

test('words on the bar are light on a landing page and on a darkened bar, dark elsewhere', async () => {
  const { rerender } = showBar();
  expect(bar()).toHaveAttribute('data-surface', 'light');
  rerender(<NavBar variant="landing" menu={MENU} />);
  expect(bar()).toHaveAttribute('data-surface', 'dark');
  rerender(<NavBar menu={MENU} />);
  window.scrollTo({ top: 51 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-surface', 'dark'));
});

test.each(['loading', 'unreachable'] as const)(
  'who may be a member (%s) is asked neither to sign in nor to join',
  async (status) => {
    const { user } = showBar({ menu: <VisitorMenu /> }, { session: signedOut({ status }) });
    expect(lines(screen.getByRole('navigation'))).toEqual([['Home', '/']]);
    expect(lines(await openMenu(user, 'Menu'))).toEqual([
      ['Home', '/'],
      ['Čeština', '?lang=cs'],
    ]);
  },
);

test("the member's part of the bar is loaded side by side with the member", () => {
  const load = vi.spyOn(memberControls, 'load');
  showBar({}, { session: signedOut({ status: 'loading' }), language: 'cs' });
  expect(load).toHaveBeenCalledExactlyOnceWith('cs');
});

test("without the member's part the page stays, and the next navigation tries it anew", async () => {
  const missing = Promise.reject(Object.assign(new Error('Gone'), { name: 'ChunkLoadError', request: '/x' }));
  vi.spyOn(memberControls, 'load').mockReturnValue(missing);
  const required = vi.spyOn(memberControls, 'loadRequired');
  const { user } = await act(() =>
    Promise.resolve(
      renderInSite(
        <>
          <NavBar menu={MENU} />
          <main>
            <h1>The page</h1>
            <Link to="/academy">Onward</Link>
          </main>
        </>,
        { session: signedIn(), history: ['/marketplace'], onCaughtError: () => undefined },
      ),
    ),
  );
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  expect(bar()).toHaveTextContent(MENU);
  expect(within(bar()).getByRole('link', { name: 'Home' })).toBeVisible();
  expect(within(bar()).queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
  expect(required, 'which would reload the page').not.toHaveBeenCalled();
  vi.mocked(memberControls.load).mockRestore();
  await user.click(screen.getByRole('link', { name: 'Onward' }));
  expect(await screen.findByRole('navigation', { name: 'Main navigation' })).toBeVisible();
});

test('signed-out visitors see Home, Sign In and Join the Crew', () => {
  showBar();
  expect(lines(screen.getByRole('navigation'))).toEqual([
    ['Home', '/'],
    ['Sign In', '/signin'],
    ['Join the Crew', '/signup'],
  ]);
});

test('Home is hidden on the landing variant of the signed-out bar', () => {
  showBar({ variant: 'landing' });
  expect(lines(screen.getByRole('navigation'))).toEqual([
    ['Sign In', '/signin'],
    ['Join the Crew', '/signup'],
  ]);
});

test('a signed-out visitor finds the menu of the page and the other language in the bar', () => {
  showBar();
  expect(bar()).toHaveTextContent(MENU);
  expect(within(bar()).getByRole('link', { name: 'Čeština' })).toBeVisible();
});

test('the logo can be hidden, and the bar says so to its style sheet', () => {
  const { rerender } = showBar();
  expect(bar()).toHaveAttribute('data-logo', 'true');
  rerender(<NavBar menu={MENU} logo={false} />);
  expect(screen.queryByRole('link', { name: 'Sailing, home page' })).not.toBeInTheDocument();
  expect(bar()).toHaveAttribute('data-logo', 'false');
});

test('the phone menu of a signed-out visitor has Home, Sign In, Join the Crew and the other language', async () => {
  const { user } = renderInSite(<VisitorMenu />);
  expect(lines(await openMenu(user, 'Menu'))).toEqual([
    ['Home', '/'],
    ['Sign In', '/signin'],
    ['Join the Crew', '/signup'],
    ['Čeština', '?lang=cs'],
  ]);
});

test('without the invitation the phone menu has Home and the other language', async () => {
  const { user } = renderInSite(<VisitorMenu invite={false} />);
  expect(lines(await openMenu(user, 'Menu'))).toEqual([
    ['Home', '/'],
    ['Čeština', '?lang=cs'],
  ]);
});

test('the signed-in bar has Home, Dashboard, Marketplace, Academy and Events', () => {
  showMemberBar();
  expect(lines(screen.getByRole('navigation', { name: 'Main navigation' }))).toEqual([
    ['Home', '/'],
    ['Dashboard', '/dashboard'],
    ['Marketplace', '/marketplace'],
    ['Academy', '/academy'],
    ['Events', '/events'],
  ]);
});

test('the signed-in bar keeps Home on the landing variant, and the page its menu', () => {
  showBar({ variant: 'landing' }, { session: signedIn() });
  expect(main().getByRole('link', { name: 'Home' })).toBeVisible();
  expect(bar()).toHaveTextContent(MENU);
});

test('elsewhere a signed-in member has the own menu instead of that of visitors', () => {
  showMemberBar();
  expect(bar()).not.toHaveTextContent(MENU);
});

test('the bar marks the page that it stands on', () => {
  showMemberBar();
  expect(main().getByRole('link', { current: 'page' })).toHaveTextContent('Marketplace');
});

test('a signed-in member is shown no way to sign in or to join', () => {
  showMemberBar();
  expect(screen.queryByRole('link', { name: /Sign In|Join/ })).not.toBeInTheDocument();
});

test('the notification set of the bar is a sample of three unread entries', () => {
  showMemberBar();
  expect(screen.getByRole('link', { name: 'Notifications, 3 unread' })).toHaveAttribute(
    'href',
    '/notifications',
  );
});

test("the user menu is labelled with the user's firstName and holds the member's pages", async () => {
  const { user } = showMemberBar({ unread: 0 });
  expect(lines(await openMenu(user, 'Anna'))).toEqual([
    ['Dashboard', '/dashboard'],
    ['Marketplace', '/marketplace'],
    ['Academy', '/academy'],
    ['Events', '/events'],
    ['Profile', '/profile'],
    ['Notifications', '/notifications'],
    ['Čeština', '?lang=cs'],
  ]);
});

test('a member without a name is named by the email, on a phone too', () => {
  const user = { ...ANNA, firstName: '', lastName: '' };
  showMemberBar({}, signedIn({ user }));
  expect(screen.getByRole('button', { name: 'anna@example.org' })).toHaveAttribute('aria-expanded', 'false');
  expect(screen.getByRole('button', { name: 'anna@example.org, menu' })).toHaveAttribute(
    'aria-expanded',
    'false',
  );
});

test("Notifications in the user menu has the badge, '99+' above 99, and says the count to a screen reader", async () => {
  const { user } = showMemberBar({ unread: 100 });
  const menu = within(await openMenu(user, 'Anna'));
  expect(menu.getByRole('link', { name: 'Notifications, 100 unread' })).toContainElement(
    menu.getByText('99+'),
  );
});

test('the signed-in phone menu has Home, Dashboard, Marketplace, Academy, Events, Profile and Sign Out', async () => {
  const { user } = showMemberBar();
  const menu = await openMenu(user, 'Anna, menu');
  expect(lines(menu)).toEqual([
    ['Home', '/'],
    ['Dashboard', '/dashboard'],
    ['Marketplace', '/marketplace'],
    ['Academy', '/academy'],
    ['Events', '/events'],
    ['Profile', '/profile'],
    ['Čeština', '?lang=cs'],
  ]);
  expect(within(menu).getByRole('button', { name: 'Sign Out' })).toBeVisible();
});

test('the phone menu can be controlled from outside', () => {
  showMemberBar({ phoneMenu: { open: true } });
  expect(screen.getByRole('button', { name: 'Anna, menu' })).toHaveAttribute('aria-expanded', 'true');
});

test('the signed-in bar speaks Czech to who chose it', () => {
  showBar({}, { session: signedIn(), language: 'cs' });
  expect(screen.getByRole('link', { name: 'Oznámení, 3 nepřečtená' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Nástěnka' })).toBeVisible();
});

test('the full-screen menu gives its word up to the eye only', () => {
  renderInSite(<OverlayMenu items={AUDIENCE_MENU} isCompact />);
  expect(screen.getByRole('button', { name: 'Menu' })).toBeVisible();
});

test.each(['Anna', 'Anna, menu'])(
  'Sign Out in the menu "%s" waits for signing out, then goes to / and says so',
  async (name) => {
    let leave: () => void = () => undefined;
    const signOut = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          leave = resolve;
        }),
    );
    const { user, path } = showMemberBar({}, signedIn({ signOut }));
    const menu = await openMenu(user, name);
    await user.click(within(menu).getByRole('button', { name: 'Sign Out' }));
    expect(signOut).toHaveBeenCalledOnce();
    expect(within(menu).queryByRole('button')).not.toBeInTheDocument();
    expect(path()).toBe('/marketplace');

    leave();
    expect(await screen.findByRole('alert')).toHaveTextContent('Signed out successfully! Safe sailing!');
    expect(path()).toBe('/');
  },
);
