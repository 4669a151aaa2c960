import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { type InitialEntry, Link, MemoryRouter } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { TOKEN_KEY } from '../session/token';
import '../test/catalogues';
import { json, serveGraphQL } from '../test/graphql';
import { SITE } from '../test/render';
import { ANNA } from '../test/session';
import { App } from './App';
import { pages } from './routes';

beforeAll(async () => {
  await Promise.all(Object.values(pages).map((page) => page.preload('required')));
});

beforeEach(() => {
  document.head.innerHTML = '<title></title>';
  window.scrollTo({ top: 0 });
});

// The code that writes the head may load after a test.
afterEach(() => vi.dynamicImportSettled());

function visit(...history: InitialEntry[]) {
  render(
    <MemoryRouter initialEntries={history}>
      <App config={SITE} />
      <Link to="?type=sloop">Sloops only</Link>
      <Link to="/newsletter#content">The form</Link>
      <Link to="/newsletter#100%">Half a fragment</Link>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

// The other tests do not need it.
vi.mock('../pages/dashboard/DashboardPage', () => ({
  default: () => {
    throw new Error('The page failed');
  },
  Layout: ({ children }: { children: ReactNode }) => children,
}));

const heading = () => screen.getByRole('heading', { level: 1 });
const newsletterLink = () =>
  within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Newsletter' });

test('keeps the head that Django wrote', async () => {
  document.head.innerHTML = '<title>Crossroad - Choose Your Path</title><meta name="robots" content="none">';
  const written = document.head.innerHTML;
  visit('/');
  await act(() => vi.dynamicImportSettled());
  expect(document.head.innerHTML).toBe(written);
});

test('header and footer stay when the next page has the same layout', async () => {
  const user = visit('/landing');
  const header = screen.getByRole('banner');
  const footer = screen.getByRole('contentinfo');
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('link', { name: 'Companies' }));
  expect(document.title).toMatch(/^For Companies/);
  expect(heading()).toHaveFocus();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('banner')).toBe(header);
  expect(screen.getByRole('contentinfo')).toBe(footer);
});

test.each([
  ['scrolls to its element', 'The form', ['content']],
  ['that is malformed shows the page', 'Half a fragment', []],
])('a fragment %s', async (_, link, shown) => {
  const shows = vi.spyOn(Element.prototype, 'scrollIntoView');
  const user = visit('/');
  await user.click(screen.getByRole('link', { name: link }));
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(shows.mock.contexts.map((part) => (part as Element).id)).toEqual(shown);
});

test('another query of the same page keeps focus and scroll position', async () => {
  const user = visit('/newsletter');
  window.scrollTo({ top: 480 });
  const link = screen.getByRole('link', { name: 'Sloops only' });
  await user.click(link);
  expect(link).toHaveFocus();
  expect(window.scrollY).toBe(480);
});

describe('restoring a position that the page is too short for', () => {
  let height = 0;
  let grow: (to: number) => void;

  beforeEach(() => {
    const scrollTo = window.scrollTo.bind(window);
    height = 1000;
    vi.spyOn(window, 'scrollTo').mockImplementation((to) =>
      scrollTo({ top: Math.min((to as ScrollToOptions).top ?? 0, height) }),
    );
    class Growth implements ResizeObserver {
      constructor(tell: ResizeObserverCallback) {
        grow = (to) => {
          height = to;
          if (this.isOn) tell([], this);
        };
      }
      isOn = false;
      readonly observe = () => {
        this.isOn = true;
      };
      readonly unobserve = () => undefined;
      readonly disconnect = () => {
        this.isOn = false;
      };
    }
    vi.stubGlobal('ResizeObserver', Growth);
  });

  async function comeBack(reach = 300) {
    const user = visit('/');
    window.scrollTo({ top: 900 });
    await user.click(newsletterLink());
    height = reach;
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(window.scrollY).toBe(reach);
    return user;
  }

  test('scrolls on as the page grows', async () => {
    await comeBack();
    grow(600);
    expect(window.scrollY).toBe(600);
    grow(2000);
    expect(window.scrollY).toBe(900);
  });

  test('stops when the user scrolls', async () => {
    await comeBack();
    window.scrollTo({ top: 100 });
    grow(2000);
    expect(window.scrollY).toBe(100);
    grow(3000);
    expect(window.scrollY).toBe(100);
  });

  test('stops when another page opens', async () => {
    const user = await comeBack(0);
    await user.click(newsletterLink());
    grow(2000);
    expect(window.scrollY).toBe(0);
  });
});

test('does not focus the first page', () => {
  visit('/');
  expect(document.body).toHaveFocus();
});

test('a guarded page shows a status until the sign-in page has loaded', () => {
  vi.spyOn(pages['sign-in'], 'isLoaded').mockReturnValue(false);
  vi.spyOn(pages['sign-in'], 'preload').mockReturnValue(new Promise(() => undefined));
  visit('/notifications');
  expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('Loading your account...');
});

describe('while the next page is loading', () => {
  const main = () => screen.getByRole('main');
  const bar = () => document.querySelector('[data-navigation-progress]');

  /** Let a page appear to be unloaded, until the returned function is called. */
  function hold(page: (typeof pages)[keyof typeof pages]) {
    let finish: () => void = () => undefined;
    const isLoaded = vi.spyOn(page, 'isLoaded').mockReturnValue(false);
    vi.spyOn(page, 'preload').mockReturnValue(new Promise((resolve) => (finish = resolve)));
    return () =>
      act(() => {
        isLoaded.mockRestore();
        finish();
        return Promise.resolve();
      });
  }

  test('after Back, the page is busy and keeps what is typed', async () => {
    const user = visit('/landing', '/newsletter');
    const email = screen.getByLabelText('Email');
    await user.type(email, 'anna@example.org');
    const finish = hold(pages.landing);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(main()).toHaveAttribute('aria-busy', 'true');
    expect(bar()).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toBe(email);
    expect(email).toHaveValue('anna@example.org');
    await finish();
    expect(heading()).toHaveTextContent('One sea. One crew.');
    expect(main()).not.toHaveAttribute('aria-busy');
    expect(bar()).not.toBeInTheDocument();
  });

  test.each<[string, InitialEntry]>([
    ['/signin', { pathname: '/signin', state: { from: '/profile' } }],
    ['/forgot-password', '/forgot-password'],
    ['/marketplace', '/marketplace?type=catamaran'],
  ])('%s stays as it is', async (_, address) => {
    const user = visit(address);
    const shown = main().innerHTML;
    const finish = hold(pages.newsletter);
    await user.click(screen.getByRole('link', { name: 'The form' }));
    expect(main()).toHaveAttribute('aria-busy', 'true');
    expect(main().innerHTML).toBe(shown);
    await finish();
    expect(heading()).toHaveTextContent('Be among the first aboard');
  });
});

test('a page that throws is replaced until the next navigation', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(json({ data: { me: ANNA } }));
  const user = visit('/dashboard');
  await waitFor(() => expect(heading()).toHaveTextContent('This page ran aground'));
  await user.click(screen.getByRole('link', { name: 'The form' }));
  expect(heading()).toHaveTextContent('Be among the first aboard');
});

describe('a page that cannot be loaded', () => {
  const newsletter = 'Be among the first aboard';
  const chunkError = Object.assign(new Error('Offline'), { name: 'ChunkLoadError', request: '/page.js' });

  function fail(error: Error, page = pages.newsletter) {
    vi.spyOn(page, 'isLoaded').mockReturnValue(false);
    return vi.spyOn(page, 'preload').mockRejectedValue(error);
  }

  test('shows its failure to a member who has signed out', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    localStorage.setItem(TOKEN_KEY, 'anna-1');
    serveGraphQL(json({ data: { me: ANNA } }), json({ data: { logout: true } }));
    const user = visit('/notifications');
    const [signOut = document.body] = await screen.findAllByRole('button', {
      name: 'Sign Out',
      hidden: true,
    });
    const preload = fail(chunkError, pages.crossroad);
    await user.click(signOut);
    await waitFor(() => expect(preload).toHaveBeenCalled());
    await waitFor(() => expect(heading()).toHaveTextContent('Your digital port.')); // its error boundary
  });

  test.each([
    ['after Back', chunkError, '/no-such-port', 'button', 'Go Back'],
    ['because its code fails', new TypeError('not a function'), '/landing', 'link', 'The form'],
  ])('shows its failure in its place %s', async (_, error, from, role, name) => {
    const user = visit('/newsletter', from);
    const preload = fail(error);
    await user.click(screen.getByRole(role, { name }));
    await waitFor(() => expect(heading()).toHaveTextContent(newsletter)); // its error boundary
    expect(preload).toHaveBeenCalled();
  });
});
