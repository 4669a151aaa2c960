import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import routeTable from '../../../routes.json';

import { renderInSite } from '../../test/render';
import { HELP_PATHS } from './help';
import NotFoundPage from './NotFoundPage';

test('is translated, with its compass', () => {
  const { container } = renderInSite(<NotFoundPage />, { language: 'cs' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('ZTRACENI NA MOŘI?');
  const letters = [...container.querySelectorAll('svg text')].map(({ textContent }) => textContent);
  expect(letters).toEqual(['S', 'V', 'J', 'Z']);
});

const ADDRESS = 'ahoy@sailing.example';

test.each([
  ['/about', 'About Sailing', /^Sailing is a community/, ADDRESS, `mailto:${ADDRESS}`],
  ['/contact/', 'How to reach us', /^A question, an idea/, ADDRESS, `mailto:${ADDRESS}`],
  ['/races', 'Races', /you’ll find races here/, 'Open the events calendar', '/events'],
  ['/network', 'Network', /you’ll meet your crew here/, 'Open the dashboard', '/dashboard'],
  ['/saved', 'Saved', /you save will be waiting here/, 'Open the marketplace', '/marketplace'],
  ['/settings', 'Settings', /what we notify you about/, 'Open your profile', '/profile'],
])('answers the question of %s with what there is, without compass', (path, title, text, link, address) => {
  const { container } = renderInSite(<NotFoundPage />, { history: [path] });
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(title);
  expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', address);
  expect(container.querySelector('svg text')).toBeNull();
});

test('the route table has the paths that the page helps with', () => {
  expect(routeTable.notFound.helpPaths).toEqual(HELP_PATHS);
});
