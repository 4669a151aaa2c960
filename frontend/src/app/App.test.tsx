import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter, type InitialEntry, Link, MemoryRouter } from 'react-router-dom';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { reloadPage } from '../lib/reloadPage';
import { TOKEN_KEY } from '../session/token';
import { trackedEvents } from '../test/analytics';
import '../test/catalogues';
import { json, serveGraphQL } from '../test/graphql';
import { SITE } from '../test/render';
import { ANNA } from '../test/session';
import { App } from './App';
import { pages } from './routes';

vi.mock('../lib/reloadPage', () => ({ reloadPage: vi.fn() }));

// The other tests need neither.
vi.mock('../pages/dashboard/DashboardPage', () => ({
  default: () => {
    throw new Error('The page failed');
  },
  Layout: ({ children }: { children: ReactNode }) => children,
}));
vi.mock('../pages/events/EventsPage', () => {
  throw new Error('Its code failed');
});

beforeAll(async () => {
  const { events, ...others } = pages;
  await Promise.all(Object.values(others).map((page) => page.preload('required')));
  expect(events.isLoaded()).toBe(false);
});

beforeEach(() => {
  document.documentElement.dataset.language = 'en';
  document.head.innerHTML = '<title></title>';
});

function visit(...history: InitialEntry[]) {
  render(
    <MemoryRouter initialEntries={history}>
      <App config={SITE} />
      <Link to="?type=sloop">Sloops only</Link>
      <Link to="/newsletter#content">The form</Link>
    </MemoryRouter>,
  );
  const user = userEvent.setup();
  return {
    user,
    follow: (name: string) => user.click(screen.getByRole('link', { name })),
    followFooter: (name: string) =>
      user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name })),
    goBack: () => user.click(screen.getByRole('button', { name: 'Back' })),
  };
}

const heading = () => screen.getByRole('heading', { level: 1 });

/** Make a page one that is still to be loaded. */
async function delay(page: (typeof pages)['newsletter']) {
  const module = await page.preload('required');
  let settle: (error?: Error) => void = () => undefined;
  const isLoaded = vi.spyOn(page, 'isLoaded').mockReturnValue(false);
  vi.spyOn(page, 'preload').mockReturnValue(
    new Promise((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve(module));
    }),
  );
  return {
    settle: async (error?: Error) => {
      if (!error) isLoaded.mockRestore();
      settle(error);
      await act(() => new Promise((resolve) => setTimeout(resolve)));
    },
  };
}

test('keeps the head that Django wrote, and the focus, on the first page', async () => {
  document.head.innerHTML = '<title>Crossroad - Choose Your Path</title><meta name="robots" content="none">';
  const written = document.head.innerHTML;
  visit('/');
  await act(() => vi.dynamicImportSettled());
  expect(document.head.innerHTML).toBe(written);
  expect(document.body).toHaveFocus();
});

test('each page is one page view, with its title; another query or fragment of it is none', async () => {
  const { follow, followFooter, goBack } = visit('/landing');
  await followFooter('Newsletter');
  await follow('Sloops only');
  await follow('The form');
  await goBack();
  await goBack();
  await goBack();
  const landing = ['/landing', 'The Sailing Community - Find Your Crew and Your Boat'];
  const newsletter = ['/newsletter', 'Newsletter - Join the Community'];
  const views = trackedEvents().flatMap(([name, params]) => (name === 'page_view' ? [params] : []));
  expect(views.map(Object.values)).toEqual([landing, newsletter, landing].map((view) => [...view, 'en']));
});

test('a fragment scrolls to its element', async () => {
  const shows = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { follow } = visit('/');
  await follow('The form');
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(new Set(shows.mock.contexts)).toEqual(new Set([document.getElementById('content')]));
});

test('another query of the same page keeps focus and scroll position', async () => {
  const { follow } = visit('/newsletter');
  window.scrollY = 480;
  await follow('Sloops only');
  expect(screen.getByRole('link', { name: 'Sloops only' })).toHaveFocus();
  expect(window.scrollY).toBe(480);
});

test('Back scrolls to where a page was left, as the page grows, until the user scrolls', async () => {
  let grow = () => undefined;
  const Growth = vi.fn(function observe(this: object, onGrowth: typeof grow) {
    grow = onGrowth;
    Object.assign(this, { observe: () => undefined, disconnect: () => (grow = () => undefined) });
  });
  vi.stubGlobal('ResizeObserver', Growth);
  const { followFooter, goBack } = visit('/');
  window.scrollY = 900;
  dispatchEvent(new Event('scroll'));
  await followFooter('Newsletter');
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue(); // the page is too short
  await goBack();
  grow();
  window.scrollY = 100;
  grow();
  grow();
  expect(scrollTo.mock.calls.map(([to]) => to)).toEqual(Array(2).fill({ top: 900, behavior: 'instant' }));
});

test.each<[string, InitialEntry]>([
  ['/signin', { pathname: '/signin', state: { from: '/profile' } }],
  ['/forgot-password', '/forgot-password'],
  ['/marketplace', '/marketplace?type=catamaran'],
])('%s stays as it is until the page of the latest link is loaded', async (_, address) => {
  const { followFooter } = visit(address);
  const [main, shown] = [screen.getByRole('main'), screen.getByRole('main').innerHTML];
  const [earlier, newsletter] = [await delay(pages.academy), await delay(pages.newsletter)];
  for (const name of ['Academy', 'Newsletter']) await followFooter(name);
  await earlier.settle();
  expect(main).toHaveAttribute('aria-busy', 'true');
  expect(document.querySelector('[data-navigation-progress]')).toBeInTheDocument();
  expect(main.innerHTML).toBe(shown);
  await newsletter.settle();
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(document.querySelector('[aria-busy], [data-navigation-progress]')).not.toBeInTheDocument();
});

test('while Back waits for the code of its page, a filter stays out of the address of that page', async () => {
  history.pushState(null, '', '/landing');
  history.pushState(null, '', '/marketplace');
  render(<App config={SITE} />, { wrapper: BrowserRouter });
  const landing = await delay(pages.landing);
  history.back();
  await waitFor(() => expect(document.querySelector('[data-navigation-progress]')).toBeInTheDocument());
  await userEvent.type(screen.getByRole('searchbox'), 'bora');
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(window.location.href).toMatch(/\/landing$/);
  expect(screen.getByRole('searchbox')).toHaveValue('bora');
  await landing.settle();
  expect(document.title).toMatch(/^The Sailing Community/);
});

test('a link to a page that cannot be reached keeps the page', async () => {
  const { followFooter } = visit('/landing');
  const newsletter = await delay(pages.newsletter);
  await followFooter('Newsletter');
  await newsletter.settle(Object.assign(new Error(), { name: 'ChunkLoadError', request: '/x.js' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('We can’t reach the server.');
  expect(document.title).toMatch(/^The Sailing Community/);
});

test('a redirect loads the code of its page, and the page says so', async () => {
  const signIn = await delay(pages['sign-in']);
  visit('/profile');
  await waitFor(() => expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'true'));
  await signIn.settle();
  expect(heading()).toHaveTextContent('Welcome back aboard');
});

test('a page that fails is replaced, with a button that reloads, until the next navigation', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(json({ data: { me: ANNA } }));
  const { user, follow } = visit('/dashboard');
  await waitFor(() => expect(heading()).toHaveTextContent('This page ran aground'));
  expect(heading()).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reloadPage).toHaveBeenCalledOnce();
  await follow('The form');
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(heading()).toHaveFocus();
});

test('a page whose code fails is replaced in the same way', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { followFooter } = visit('/landing');
  await followFooter('Events');
  await waitFor(() => expect(heading()).toHaveTextContent('This page ran aground'));
});
