import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import NotFoundPage from './NotFoundPage';

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
  const { user } = renderInSite(<NotFoundPage />);
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  for (const name of ['Sailor Registration', 'Company Registration', 'About', 'Contact']) {
    expect(screen.getByRole('link', { name })).toBeVisible();
  }
});

test('is translated, with its compass', () => {
  const { container } = renderInSite(<NotFoundPage />, { language: 'cs' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('ZTRACENI NA MOŘI?');
  const letters = [...container.querySelectorAll('svg text')].map(({ textContent }) => textContent);
  expect(letters).toEqual(['S', 'V', 'J', 'Z']);
});
