import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { fitMedia } from '../test/mediaQueries';
import { renderInSite } from '../test/render';
import { JumpLink } from './JumpLink';

function showPage() {
  return renderInSite(
    <>
      <JumpLink target="business">Get Started</JumpLink>
      <section id="business" tabIndex={-1} aria-label="Business" />
    </>,
  );
}

const link = () => screen.getByRole('link', { name: 'Get Started' });

test.each([
  ['smoothly', false, 'smooth'],
  ['at once where less motion is wanted', true, 'instant'],
])('scrolls to the target %s and moves the focus', async (_, calm, behavior) => {
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  if (calm) fitMedia('(prefers-reduced-motion: reduce)');
  const { user } = showPage();
  await user.click(link());
  const target = screen.getByRole('region', { name: 'Business' });
  expect(scrolls.mock.contexts).toEqual([target]);
  expect(scrolls).toHaveBeenCalledExactlyOnceWith({ behavior });
  expect(target).toHaveFocus();
});

test.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])('leaves a click with %s to the browser', (key) => {
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  showPage();
  const isLeftToTheBrowser = fireEvent.click(link(), { [key]: true });
  expect(isLeftToTheBrowser).toBe(true);
  expect(scrolls).not.toHaveBeenCalled();
});
