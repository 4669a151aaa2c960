import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { Explore } from './Explore';

test.each([
  ['en', 'Explore', ['Marketplace', 'Academy', 'Events']],
  ['cs', 'Prozkoumat', ['Tržiště', 'Akademie', 'Akce']],
] as const)('links to the app pages that need no sign-in (%s)', (language, name, labels) => {
  renderInSite(<Explore />, { language });
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    labels.map((label, index) => [label, ['/marketplace', '/academy', '/events'][index]]),
  );
});
