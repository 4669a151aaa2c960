import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, Link, MemoryRouter } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { TOKEN_KEY } from '../session/TokenStorage';
import { catalogues } from '../test/catalogues';
import { serveGraphQL, unavailable } from '../test/graphql';
import { SITE } from '../test/render';
import { App } from './App';
import { pages } from './pages';
import { memberRoute } from './RoutePage';

beforeAll(async () => {
  await Promise.all([...Object.values(pages), memberRoute].map((part) => part.load('en')));
});

beforeEach(() => {
  document.head.innerHTML = '<title></title>';
  window.scrollTo({ top: 0 });
});

// What writes the head may come when a test is over.
afterEach(() => vi.dynamicImportSettled());

function visit(...history: string[]) {
  render(
    <MemoryRouter initialEntries={history}>
      <App config={SITE} language={{ language: 'en', messages: catalogues.en }} />
      <Link to="?type=sloop">Sloops only</Link>
      <Link to="/newsletter#content">The form</Link>
      <Link to="/newsletter#100%">Half a fragment</Link>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const heading = () => screen.getByRole('heading', { level: 1 });
const description = () => document.querySelector('meta[name="description"]')?.getAttribute('content');
const newsletterLink = () =>
  within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Newsletter' });

test("the crossroad's page title is 'Crossroad - Choose Your Path'", () => {
  visit('/');
  expect(heading()).toHaveTextContent('Your digital port.');
  expect(document.title).toBe('Crossroad - Choose Your Path');
});

test('the head that Django wrote stays', async () => {
  document.head.innerHTML = '<title>Crossroad - Choose Your Path</title><meta name="robots" content="none">';
  const written = document.head.innerHTML;
  visit('/');
  await act(() => vi.dynamicImportSettled());
  expect(document.head.innerHTML).toBe(written);
});

test('a step through the history that comes while the page is rendered for the first time is taken after', async () => {
  let isTaken = false;
  function StepBack() {
    if (!isTaken) window.history.replaceState(null, '', '/newsletter');
    isTaken = true;
    return null;
  }
  render(
    <BrowserRouter>
      <App config={SITE} language={{ language: 'en', messages: catalogues.en }} />
      <StepBack />
    </BrowserRouter>,
  );
  expect(await screen.findByRole('heading', { name: 'Be among the first aboard' })).toBeVisible();
});

test("any other path shows the 404 page 'LOST AT SEA?'", () => {
  visit('/no-such-port');
  expect(heading()).toHaveTextContent('LOST AT SEA?');
  expect(document.title).toBe('Lost at Sea - Page Not Found');
});

test('a link opens its page in place: title, description, focus on its heading, scrolled to its top', async () => {
  const user = visit('/');
  window.scrollTo({ top: 480 });
  await user.click(newsletterLink());
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(document.title).toBe('Newsletter - Join the Community');
  await waitFor(() => expect(description()).toMatch(/^Subscribe to the Sailing newsletter/));
  expect(heading()).toHaveFocus();
  expect(window.scrollY).toBe(0);
});

test.each(['/newsletter', '/newsletter?from=mail#content'])(
  'a link on %s to the page it is on shows the page from its start, and the history does not grow',
  async (address) => {
    const user = visit('/', address);
    window.scrollTo({ top: 480 });
    await user.click(newsletterLink());
    expect(heading()).toHaveFocus();
    expect(window.scrollY).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(heading()).toHaveTextContent('Your digital port.');
  },
);

test.each([
  ['of a part of the page shows that part', 'The form', ['content']],
  ['that is malformed, as a mail may cut it off, shows the page', 'Half a fragment', []],
])('a fragment %s', async (_, link, shown) => {
  const shows = vi.spyOn(Element.prototype, 'scrollIntoView');
  const user = visit('/');
  await user.click(screen.getByRole('link', { name: link }));
  expect(heading()).toHaveTextContent('Be among the first aboard');
  expect(shows.mock.contexts.map((part) => (part as Element).id)).toEqual(shown);
});

test('another query of the page is no new page: it stays where it is', async () => {
  const user = visit('/newsletter');
  window.scrollTo({ top: 480 });
  const link = screen.getByRole('link', { name: 'Sloops only' });
  await user.click(link);
  expect(link).toHaveFocus();
  expect(window.scrollY).toBe(480);
});

test('Back shows the page before where it was left', async () => {
  const user = visit('/');
  window.scrollTo({ top: 480 });
  await user.click(newsletterLink());
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(heading()).toHaveTextContent('Your digital port.');
  expect(window.scrollY).toBe(480);
});

describe('a page that was left further down than it reaches yet', () => {
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

  test('is followed down as it grows', async () => {
    await comeBack();
    grow(600);
    expect(window.scrollY).toBe(600);
    grow(2000);
    expect(window.scrollY).toBe(900);
  });

  test('is left to who scrolls meanwhile', async () => {
    await comeBack();
    window.scrollTo({ top: 100 });
    grow(2000);
    expect(window.scrollY).toBe(100);
    grow(3000);
    expect(window.scrollY).toBe(100);
  });

  test('is followed no more once another page is open', async () => {
    const user = await comeBack(0);
    await user.click(newsletterLink());
    grow(2000);
    expect(window.scrollY).toBe(0);
  });
});

test('the first page takes no focus, as a page that was loaded does not', () => {
  visit('/');
  expect(document.body).toHaveFocus();
});

test('the title follows the language', async () => {
  const user = visit('/');
  await user.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Čeština' }));
  expect(await screen.findByText('Jachtařská komunita')).toBeVisible();
  await waitFor(() => expect(document.title).toBe('Rozcestí – Zvolte si svou cestu'));
});

test("a member's page of the route table sends a signed-out visitor to /signin", () => {
  visit('/profile');
  expect(heading()).toHaveTextContent('Welcome back aboard');
  expect(document.title).toBe('Sign In - Back Aboard');
});

test('a profile that cannot be loaded says so in its own words', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  serveGraphQL(unavailable());
  visit('/profile');
  expect(await screen.findByText('Failed to load profile data')).toBeVisible();
  expect(document.title).toBe('Profile - Your Place Aboard');
});
