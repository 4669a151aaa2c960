import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { watchButtons } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import LandingCompaniesPage from './LandingCompaniesPage';

test("'Get Started' scrolls to the business section", async () => {
  const pressed = watchButtons();
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { user, path } = renderInSite(<LandingCompaniesPage />, { history: ['/landing-companies'] });
  const business = screen.getByRole('region', { name: 'Four markets, one harbor' });
  await user.click(screen.getByRole('link', { name: 'Get Started' }));
  expect(scrolls.mock.contexts).toEqual([business]);
  expect(business).toHaveFocus();
  expect(path()).toBe('/landing-companies');
  expect(pressed).toEqual(['get_started']);
});
