import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { trackedEvents } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import LandingCompaniesPage from './LandingCompaniesPage';

const scrollIntoView = vi.fn();

beforeEach(() => {
  // jsdom has no layout to scroll.
  Element.prototype.scrollIntoView = scrollIntoView;
});

test("'Get Started' scrolls to the business section", async () => {
  const { user, path } = renderInSite(<LandingCompaniesPage />, { history: ['/landing-companies'] });
  const business = screen.getByRole('region', { name: 'Four markets, one harbor' });
  await user.click(screen.getByRole('link', { name: 'Get Started' }));
  expect(scrollIntoView.mock.contexts).toEqual([business]);
  expect(business).toHaveFocus();
  expect(path()).toBe('/landing-companies');
  expect(trackedEvents()).toEqual([
    ['button_click', { button: 'get_started', location: 'landing-companies' }],
  ]);
});
