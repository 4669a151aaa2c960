import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import routeTable from '../../../routes.json';
import { trackedEvents } from '../../test/analytics';
import { type Answer, json, serveGraphQL } from '../../test/graphql';
import { catalogues } from '../../test/catalogues';
import { renderInSite } from '../../test/render';
import { HELP_BY_PATH } from './help';
import NotFoundPage, { Layout, menu } from './NotFoundPage';

test('has the heading LOST AT SEA?', () => {
  renderInSite(<NotFoundPage />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^LOST AT SEA\?$/);
});

test('Go Back returns to the previous page', async () => {
  const { user, path } = renderInSite(<NotFoundPage />, { history: ['/newsletter', '/no-such-port'] });
  await user.click(screen.getByRole('button', { name: 'Go Back' }));
  expect(path()).toBe('/newsletter');
  expect(trackedEvents()).toEqual([['button_click', { button: 'go_back', location: 'not-found' }]]);
});

test('has the menu of the 404 page', async () => {
  const { user } = renderInSite(
    <Layout menu={menu}>
      <NotFoundPage />
    </Layout>,
  );
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  for (const name of ['Sailor Registration', 'Company Registration', 'About', 'Contact']) {
    expect(within(screen.getByRole('dialog')).getByRole('link', { name })).toBeVisible();
  }
});

test('is translated, with its compass', () => {
  const { container } = renderInSite(<NotFoundPage />, { language: 'cs' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('ZTRACENI NA MOŘI?');
  const letters = [...container.querySelectorAll('svg text')].map(({ textContent }) => textContent);
  expect(letters).toEqual(['S', 'V', 'J', 'Z']);
});

test.each([
  ['/about', 'About Sailing', /^Sailing is a community in the making/],
  ['/contact/', 'How to reach us', /^A question, an idea, a problem with your account\?/],
])('answers its question and names who runs the site at %s', (path, title, text) => {
  renderInSite(<NotFoundPage />, { history: [path] });
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(title);
  expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText('Sailing & Co.')).toBeVisible();
  expect(screen.getByText('Nábřežní 7, Praha 2')).toBeVisible();
  const email = screen.getByRole('link', { name: 'ahoy@sailing.example' });
  expect(email).toHaveAttribute('href', 'mailto:ahoy@sailing.example');
});

test.each([
  ['/races', 'Races', /you’ll find races here/, 'Open the events calendar', '/events'],
  ['/network', 'Network', /you’ll meet your crew here/, 'Open the dashboard', '/dashboard'],
  ['/saved', 'Saved', /you save will be waiting here/, 'Open the marketplace', '/marketplace'],
  ['/settings', 'Settings', /what we notify you about/, 'Open your profile', '/profile'],
])('says what will be at %s, and links to what there is today', (path, title, text, link, today) => {
  renderInSite(<NotFoundPage />, { history: [path] });
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(title);
  expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', today);
});

test.each([
  ['notFound.races', 'dashboard.racing'],
  ['notFound.network', 'dashboard.network'],
  ['notFound.saved', 'dashboard.saved'],
  ['notFound.settings', 'dashboard.settings'],
] as const)('the name %s is the one in the side menu, %s', (title, label) => {
  for (const messages of [catalogues.en, catalogues.cs]) expect(messages[title]).toEqual(messages[label]);
});

test('the route table has the paths that the page helps with', () => {
  expect(routeTable.notFound.helpPaths).toEqual(Object.keys(HELP_BY_PATH));
});

describe('at /forgot-password', () => {
  async function ask(address: string, ...answers: Answer[]) {
    const calls = serveGraphQL(...answers);
    const page = renderInSite(
      <main>
        <NotFoundPage />
      </main>,
      { history: ['/forgot-password/'] },
    );
    await page.user.type(screen.getByLabelText('Email'), `${address}{Enter}`);
    return { ...page, calls };
  }

  test('says the same for every address', async () => {
    const { calls } = await ask(' anna@example.org', json({ data: { requestPasswordReset: true } }));
    await waitFor(() => expect(screen.getByRole('heading', { level: 2 })).toHaveFocus());
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent(
      'If anna@example.org belongs to an account, a link to choose a new password is on its way',
    );
    expect(calls.map(({ variables }) => variables)).toEqual([{ email: 'anna@example.org' }]);
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/signin',
    );
  });

  test('refuses what is no email at its field, which takes the focus', async () => {
    const { user, calls } = await ask('anna@');
    const email = screen.getByLabelText('Email');
    await waitFor(() => expect(email).toHaveFocus());
    expect(email).toHaveAccessibleDescription('Please enter a valid email address');
    await user.type(email, 'example.org');
    expect(email).toHaveAccessibleDescription('');
    expect(calls).toEqual([]);
  });

  test('shows the rate limit and keeps the email', async () => {
    const limit = { message: 'Too many attempts.', extensions: { code: 'RATE_LIMITED' } };
    await ask('anna@example.org', json({ data: null, errors: [limit] }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Too many attempts.'));
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.org');
  });
});
