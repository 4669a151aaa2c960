import { screen } from '@testing-library/react';
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

test('the footer links to the newsletter', () => {
  renderInSite(<Footer />);
  expect(screen.getByRole('link', { name: 'Newsletter' })).toHaveAttribute('href', '/newsletter');
});
