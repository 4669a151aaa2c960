import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Footer } from './Footer';

test('the footer has the logo, the tagline "Where Sailors Unite" and a copyright line of the launch year', () => {
  renderInSite(<Footer />);
  expect(screen.getByText('Sailing')).toBeVisible();
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
  expect(screen.getByText('© 2025 Sailing')).toBeVisible();
});

test('the footer is translated', () => {
  renderInSite(<Footer />, { language: 'cs' });
  expect(screen.getByText('Místo, kde se jachtaři spojují')).toBeVisible();
});

test.each([
  ['en', 'Explore', ['Marketplace', 'Academy', 'Events'], ['/marketplace', '/academy', '/events']],
  ['cs', 'Prozkoumat', ['Tržiště', 'Akademie', 'Akce'], ['/marketplace', '/academy', '/events']],
  [
    'en',
    'Company',
    ['About', 'For sailors', 'For companies', 'Newsletter', 'Newsletter archive'],
    ['/about', '/landing-sailors', '/landing-companies', '/newsletter', '/newsletter/issues/'],
  ],
  ['en', 'Legal and contact', ['Contact Us', 'Privacy', 'Terms'], ['/contact', '#privacy', '#terms']],
] as const)('in %s the column %s has its links', (language, name, labels, addresses) => {
  renderInSite(<Footer />, { language });
  expect(screen.getByText(name)).toHaveAttribute('aria-hidden', 'true'); // the name is read once
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(labels);
  expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses);
});
