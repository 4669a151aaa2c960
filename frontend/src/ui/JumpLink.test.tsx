import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { fitMedia } from '../test/mediaQueries';
import { renderInSite } from '../test/render';
import { JumpLink } from './JumpLink';

test.each([
  ['smoothly', false, 'smooth'],
  ['at once where less motion is wanted', true, 'instant'],
])('scrolls to the target %s and moves the focus', async (_, calm, behavior) => {
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  if (calm) fitMedia('(prefers-reduced-motion: reduce)');
  const { user } = renderInSite(
    <>
      <JumpLink target="business">Get Started</JumpLink>
      <section id="business" tabIndex={-1} aria-label="Business" />
    </>,
  );
  const link = screen.getByRole('link', { name: 'Get Started' });
  expect(fireEvent.click(link, { ctrlKey: true }), 'is left to the browser').toBe(true);
  expect(scrolls).not.toHaveBeenCalled();
  await user.click(link);
  expect(scrolls).toHaveBeenCalledExactlyOnceWith({ behavior });
  expect(screen.getByRole('region', { name: 'Business' })).toHaveFocus();
});
