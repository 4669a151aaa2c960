import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { TOKEN_KEY } from '../session/TokenStorage';
import { catalogues } from '../test/catalogues';
import { serveGraphQL, unavailable } from '../test/graphql';
import { SITE } from '../test/render';
import { App } from './App';
import { pages } from './pages';

beforeAll(async () => {
  await Promise.all(Object.values(pages).map((page) => page.load('en')));
});

beforeEach(() => {
  document.head.innerHTML = '<meta name="description" content="">';
  window.scrollTo({ top: 0 });
});

function visit(...history: string[]) {
  render(
    <MemoryRouter initialEntries={history}>
      <App config={SITE} language={{ language: 'en', messages: catalogues.en }} />
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
  expect(description()).toMatch(/^Sailing brings sailors, charter companies and boat owners together/);
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
  expect(description()).toMatch(/^Subscribe to the Sailing newsletter/);
  expect(heading()).toHaveFocus();
  expect(window.scrollY).toBe(0);
});

test('Back shows the page before where it was left', async () => {
  const user = visit('/');
  window.scrollTo({ top: 480 });
  await user.click(newsletterLink());
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(heading()).toHaveTextContent('Your digital port.');
  expect(window.scrollY).toBe(480);
});

test('the first page takes no focus, as a page that was loaded does not', () => {
  visit('/');
  expect(document.body).toHaveFocus();
});

test('the title follows the language', async () => {
  const user = visit('/');
  await user.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Čeština' }));
  expect(await screen.findByText('Jachtařská komunita')).toBeVisible();
  expect(document.title).toBe('Rozcestí - Zvolte si svou cestu');
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
