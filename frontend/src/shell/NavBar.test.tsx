import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { Session } from '../session/sessionStore';
import { renderInSite } from '../test/render';
import { ANNA, signedIn, signedOut } from '../test/session';
import { Link } from '../ui/Link';
import { LazyMemberControls } from './Account';
import { Header } from './Header';
import MemberControls from './MemberControls';
import { NavBar } from './NavBar';
import { UserMenu } from './MemberControls';
import { VisitorMenu } from './PhoneMenu';

vi.mock('./MemberControls', { spy: true });

beforeAll(async () => {
  await LazyMemberControls.preload('required');
});

beforeEach(() => window.scrollTo(0, 0));

const MENU = 'the menu of the page';

function showBar(
  props: Partial<Parameters<typeof NavBar>[0]> = {},
  surroundings: Parameters<typeof renderInSite>[1] = {},
) {
  return renderInSite(<NavBar menu={<p>{MENU}</p>} {...props} />, surroundings);
}

function showMemberBar(session: Session = signedIn()) {
  return showBar({}, { session, history: ['/marketplace'] });
}

const bar = () => screen.getByRole('banner');
const main = () => within(screen.getByRole('navigation', { name: 'Main navigation' }));
const links = (list: HTMLElement) =>
  within(list)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

/** Open a menu and return it. */
async function openMenu(user: ReturnType<typeof renderInSite>['user'], name: string) {
  const button = screen.getByRole('button', { name });
  await user.click(button);
  const list = document.getElementById(button.getAttribute('popovertarget') ?? '');
  if (!list) throw new Error('The button controls nothing');
  return list;
}

test('the bar darkens past 50 pixels of scroll', async () => {
  showBar();
  expect(bar()).toHaveAttribute('data-scrolled', 'false');
  window.scrollTo({ top: 50 });
  expect(bar()).toHaveAttribute('data-scrolled', 'false');
  window.scrollTo({ top: 51 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-scrolled', 'true'));
  window.scrollTo({ top: 50 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-scrolled', 'false'));
});

test('the bar has light text on a landing page and when darkened', async () => {
  const { rerender } = showBar();
  expect(bar()).toHaveAttribute('data-surface', 'light');
  rerender(<NavBar variant="landing" menu={<p>{MENU}</p>} />);
  expect(bar()).toHaveAttribute('data-surface', 'dark');
  rerender(<NavBar menu={<p>{MENU}</p>} />);
  window.scrollTo({ top: 51 });
  await waitFor(() => expect(bar()).toHaveAttribute('data-surface', 'dark'));
});

test.each(['loading', 'unreachable'] as const)(
  'a member whose session is %s is offered the dashboard, neither Sign In nor Join',
  async (status) => {
    const { user } = showBar({ menu: <VisitorMenu /> }, { session: signedOut({ status }) });
    expect(links(screen.getByRole('navigation'))).toEqual([
      ['Home', '/'],
      ['', '/dashboard'],
    ]);
    expect(screen.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Čeština' })).not.toBeInTheDocument(); // it is in the menu
    expect(links(await openMenu(user, 'Menu'))).toEqual([
      ['Home', '/'],
      ['Dashboard', '/dashboard'],
      ['Čeština', '?lang=cs'],
    ]);
  },
);

test('the controls of a member load in parallel with the member', () => {
  const preload = vi.spyOn(LazyMemberControls, 'preload');
  showBar({}, { session: signedOut({ status: 'loading' }), language: 'cs' });
  expect(preload).toHaveBeenCalledOnce();
});

test('the page stays when the controls of a member fail to load, and navigation tries again', async () => {
  vi.mocked(MemberControls).mockImplementation(() => {
    throw new Error('Gone');
  });
  const { user } = renderInSite(
    <>
      <NavBar menu={<p>{MENU}</p>} />
      <main>
        <h1>The page</h1>
        <Link to="/academy">Onward</Link>
      </main>
    </>,
    { session: signedIn(), history: ['/marketplace'], onCaughtError: () => undefined },
  );
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  expect(bar()).toHaveTextContent(MENU);
  expect(within(bar()).getByRole('link', { name: 'Home' })).toBeVisible();
  expect(within(bar()).queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
  vi.mocked(MemberControls).mockReset();
  await user.click(screen.getByRole('link', { name: 'Onward' }));
  expect(await screen.findByRole('navigation', { name: 'Main navigation' })).toBeVisible();
});

test('a visitor sees Home, Sign In and Join the Crew, the menu of the page and the language switch', () => {
  showBar();
  expect(links(screen.getByRole('navigation'))).toEqual([
    ['Home', '/'],
    ['Sign In', '/signin'],
    ['Join the Crew', '/signup'],
  ]);
  expect(bar()).toHaveTextContent(MENU);
  expect(within(bar()).getByRole('link', { name: 'Čeština' })).toBeVisible();
});

test('Home is hidden on the landing variant of the signed-out bar', () => {
  showBar({ variant: 'landing' });
  expect(links(screen.getByRole('navigation'))).toEqual([
    ['Sign In', '/signin'],
    ['Join the Crew', '/signup'],
  ]);
});

test('the logo can be hidden', () => {
  const { rerender } = showBar();
  expect(bar()).toHaveAttribute('data-logo', 'true');
  rerender(<NavBar menu={<p>{MENU}</p>} logo={false} />);
  expect(screen.queryByRole('link', { name: 'Sailing, home page' })).not.toBeInTheDocument();
  expect(bar()).toHaveAttribute('data-logo', 'false');
});

test('the phone menu of a visitor links to Home, Sign In, Join the Crew and the other language', async () => {
  const { user } = renderInSite(<VisitorMenu />);
  expect(links(await openMenu(user, 'Menu')).map(([, href]) => href)).toEqual([
    '/',
    '/signin',
    '/signup',
    '?lang=cs',
  ]);
});

test('a member sees the app pages, with the current one marked, and no way to sign in', () => {
  showMemberBar();
  expect(bar()).not.toHaveTextContent(MENU);
  expect(main().getByRole('link', { current: 'page' })).toHaveTextContent('Marketplace');
  expect(screen.queryByRole('link', { name: /Sign In|Join/ })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Notifications, 3 unread' })).toHaveAttribute(
    'href',
    '/notifications',
  );
  expect(links(screen.getByRole('navigation', { name: 'Main navigation' }))).toEqual([
    ['Home', '/'],
    ['Dashboard', '/dashboard'],
    ['Marketplace', '/marketplace'],
    ['Academy', '/academy'],
    ['Events', '/events'],
  ]);
});

test.each([
  ['Notifications, 3 unread', 'link'],
  ['Anna', 'button'],
  ['Anna, menu', 'button'],
] as const)('the header of a page without a bar has %j of a member', (name, role) => {
  renderInSite(<Header menu={[]} hasAccount />, { session: signedIn() });
  expect(within(bar()).getByRole(role, { name })).toBeVisible();
  expect(within(bar()).queryByRole('navigation', { name: 'Main navigation' })).not.toBeInTheDocument();
  expect(within(bar()).queryByRole('link', { name: /Sign In|Join/ })).not.toBeInTheDocument();
});

test('on a landing page a member sees Home and the menu of the page', () => {
  showBar({ variant: 'landing' }, { session: signedIn() });
  expect(main().getByRole('link', { name: 'Home' })).toBeVisible();
  expect(bar()).toHaveTextContent(MENU);
});

test('the user menu is labelled with the first name and links to the app pages', async () => {
  const { user } = renderInSite(<UserMenu name="Anna" avatar={null} unread={0} />, { session: signedIn() });
  expect(links(await openMenu(user, 'Anna'))).toEqual([
    ['Dashboard', '/dashboard'],
    ['Marketplace', '/marketplace'],
    ['Academy', '/academy'],
    ['Events', '/events'],
    ['Profile', '/profile'],
    ['Notifications', '/notifications'],
    ['Čeština', '?lang=cs'],
  ]);
});

test('the menus of a member without a name are labelled with the email', () => {
  const user = { ...ANNA, firstName: '', lastName: '' };
  showMemberBar(signedIn({ user }));
  expect(screen.getByRole('button', { name: 'anna@example.org' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'anna@example.org, menu' })).toBeVisible();
});

test('the phone menu of a member links to the app pages and has Sign Out', async () => {
  const { user } = showMemberBar();
  const menu = await openMenu(user, 'Anna, menu');
  expect(links(menu)).toEqual([
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

test('the phone menu can be controlled from outside', async () => {
  showBar({ phoneMenu: { open: true } }, { session: signedIn() });
  expect(await screen.findByRole('link', { name: 'Profile' })).toBeVisible();
});
