import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { signedIn, signedOut } from '../test/session';
import { LazyMemberControls } from './Account';
import { VisitorMenu } from './Dropdown';
import { SiteHeader } from './SiteHeader';

beforeAll(async () => {
  await LazyMemberControls.preload('required');
});

const MENU = 'the menu of the page';
const APP = <SiteHeader variant="app" menu={<p>{MENU}</p>} />;
const LANDING = <SiteHeader variant="landing" menu={<p>{MENU}</p>} />;
const SCENE = <SiteHeader variant="scene" menu={<p>{MENU}</p>} />;

const bar = () => screen.getByRole('banner');
const getLinks = (list: HTMLElement | null) =>
  Array.from(list?.querySelectorAll('a') ?? [], (link) => `${link.textContent} ${link.getAttribute('href')}`);

/** Return the links of the menu that a button opens. */
function getMenu(name: string) {
  const button = screen.getByRole('button', { name });
  return getLinks(document.getElementById(button.getAttribute('popovertarget') ?? ''));
}

test.each([
  [APP, 50, 'light'],
  [APP, 51, 'dark'],
  [LANDING, 0, 'dark'],
])('%# the bar darkens past 50 px of scroll, and has light text then and on a landing page', (...row) => {
  const [ui, top, surface] = row;
  renderInSite(ui);
  window.scrollTo({ top });
  return waitFor(() => {
    expect(bar()).toHaveAttribute('data-scrolled', String(top > 50));
    expect(bar()).toHaveAttribute('data-surface', surface);
  });
});

test.each([
  ['app', APP, ['/', '/signin', '/signup']],
  ['landing', LANDING, ['/signin', '/signup']],
  ['scene', SCENE, ['/signin', '/signup']],
])('a visitor sees the links, menu and language switch of the variant %s', (_, ui, addresses) => {
  renderInSite(ui, { session: signedOut() });
  const links = within(screen.getByRole('navigation')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses);
  expect(bar()).toHaveTextContent(MENU);
  expect(within(bar()).getByRole('link', { name: 'Čeština' })).toBeVisible();
});

test('the logo can be hidden', () => {
  renderInSite(<SiteHeader variant="app" menu="" logo={false} />);
  expect(screen.queryByRole('link', { name: 'Sailing, home page' })).not.toBeInTheDocument();
  expect(bar()).toHaveAttribute('data-logo', 'false');
});

test.each([
  ['signed-out', ['Home /', 'Sign In /signin', 'Join the Crew /signup', 'Čeština ?lang=cs']],
  ['loading', ['Home /', 'Dashboard /dashboard', 'Čeština ?lang=cs']],
  ['unreachable', ['Home /', 'Dashboard /dashboard', 'Čeština ?lang=cs']],
] as const)('the phone menu of a session that is %s has its links, and no other sign-in', (status, links) => {
  renderInSite(<SiteHeader variant="app" menu={<VisitorMenu />} />, { session: signedOut({ status }) });
  expect(getMenu('Menu')).toEqual(links);
  const isVisitor = status === 'signed-out';
  expect(screen.queryAllByRole('link', { name: /Sign In|Join/ })).toHaveLength(isVisitor ? 2 : 0);
  expect(screen.queryAllByRole('link', { name: 'Dashboard' })).toHaveLength(isVisitor ? 0 : 1);
});

test('the bar of a member has the app pages, with the current one marked, and the menus', () => {
  renderInSite(APP, { session: signedIn(), history: ['/marketplace'] });
  const screens = ['Dashboard /dashboard', 'Marketplace /marketplace', 'Academy /academy', 'Events /events'];
  const [home, profile, language] = ['Home /', 'Profile /profile', 'Čeština ?lang=cs'];
  const navigation = screen.getByRole('navigation', { name: 'Main navigation' });
  expect(getLinks(navigation)).toEqual([home, ...screens]);
  expect(within(navigation).getByRole('link', { current: 'page' })).toHaveTextContent('Marketplace');
  expect(screen.getByRole('link', { name: 'Notifications, 3 unread' })).toHaveProperty(
    'pathname',
    '/notifications',
  );
  const notifications = 'Notifications, 3 unreadNotifications3 /notifications';
  expect(getMenu('Anna')).toEqual([...screens, profile, notifications, language]);
  expect(getMenu('Anna, menu')).toEqual([home, ...screens, profile, language]);
  expect(bar()).not.toHaveTextContent(MENU);
  expect(screen.queryByRole('link', { name: /Sign In|Join/ })).not.toBeInTheDocument();
});

test.each([
  ['landing', LANDING, 1],
  ['scene', SCENE, 0],
])('a member sees the menu of the page in the variant %s, and the app pages in a bar', (_, ui, count) => {
  renderInSite(ui, { session: signedIn() });
  expect(bar()).toHaveTextContent(MENU);
  expect(screen.getByRole('button', { name: 'Anna' })).toBeVisible();
  expect(screen.queryAllByRole('navigation', { name: 'Main navigation' })).toHaveLength(count);
});

test('the phone menu can be controlled from outside', () => {
  const toggle = vi.spyOn(HTMLElement.prototype, 'togglePopover');
  const show = (open: boolean) => <SiteHeader variant="app" menu="" phoneMenu={{ open }} />;
  const { rerender } = renderInSite(show(false), { session: signedIn() });
  rerender(show(true));
  expect(toggle.mock.calls).toEqual([[false], [true]]);
});
