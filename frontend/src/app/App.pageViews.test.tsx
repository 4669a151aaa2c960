import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { Link, MemoryRouter } from 'react-router-dom';
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { trackedEvents } from '../test/analytics';
import '../test/catalogues';
import { SITE } from '../test/render';
import { App } from './App';
import { pages } from './routes';

beforeAll(async () => {
  await Promise.all(Object.values(pages).map((page) => page.preload('required')));
});

beforeEach(() => {
  document.documentElement.dataset.language = 'en';
});

function visit(path: string) {
  render(
    <StrictMode>
      <MemoryRouter initialEntries={[path]}>
        <App config={SITE} />
        <Link to="?from=mail#anywhere">Same page</Link>
      </MemoryRouter>
    </StrictMode>,
  );
  return userEvent.setup();
}

/** The parameters of every page view so far. */
const pageViews = () => trackedEvents().flatMap(([name, params]) => (name === 'page_view' ? [params] : []));

const crossroad = { page_path: '/', page_title: 'Crossroad - Choose Your Path', language: 'en' };
const newsletter = {
  page_path: '/newsletter',
  page_title: 'Newsletter - Join the Community',
  language: 'en',
};

test('each route change is one page view, with the title of the new page', async () => {
  const user = visit('/');
  expect(pageViews()).toEqual([crossroad]);
  await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Newsletter' }));
  expect(pageViews()).toEqual([crossroad, newsletter]);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(pageViews()).toEqual([crossroad, newsletter, crossroad]);
});

test('another fragment or query of the same page is no route change', async () => {
  const user = visit('/newsletter');
  await user.click(screen.getByRole('link', { name: 'Same page' }));
  expect(pageViews()).toEqual([newsletter]);
});

test('a path without a page is counted as what it shows', () => {
  visit('/no-such-port');
  expect(pageViews()).toEqual([
    { page_path: '/no-such-port', page_title: 'Lost at Sea - Page Not Found', language: 'en' },
  ]);
});
