import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Footer } from './Footer';

test.each([
  ['Explore', ['/marketplace', '/academy', '/events']],
  ['Company', ['/about', '/landing-sailors', '/landing-companies', '/newsletter', '/newsletter/issues/']],
  ['Legal and contact', ['/contact', '#privacy', '#terms']],
])('the column %s has its links', (name, addresses) => {
  renderInSite(<Footer />);
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses);
});
