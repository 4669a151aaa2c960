import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { fitMedia } from '../test/mediaQueries';
import { renderInSite } from '../test/render';
import { JumpLink } from './JumpLink';

const scrollIntoView = vi.fn();

beforeEach(() => {
  // jsdom has no layout to scroll.
  Element.prototype.scrollIntoView = scrollIntoView;
});

function showPage(onClick?: () => void) {
  return renderInSite(
    <>
      <JumpLink target="business" {...(onClick && { onClick })}>
        Get Started
      </JumpLink>
      <section id="business" tabIndex={-1} aria-label="Business" />
    </>,
  );
}

const link = () => screen.getByRole('link', { name: 'Get Started' });

test.each([
  ['smoothly', false, 'smooth'],
  ['at once where less motion is wanted', true, 'instant'],
])('scrolls to the target %s and moves the focus', async (_, calm, behavior) => {
  if (calm) fitMedia('(prefers-reduced-motion: reduce)');
  const { user } = showPage();
  await user.click(link());
  const target = screen.getByRole('region', { name: 'Business' });
  expect(scrollIntoView.mock.contexts).toEqual([target]);
  expect(scrollIntoView).toHaveBeenCalledExactlyOnceWith({ behavior });
  expect(target).toHaveFocus();
});

test.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])('leaves a click with %s to the browser', (key) => {
  showPage();
  const isLeftToTheBrowser = fireEvent.click(link(), { [key]: true });
  expect(isLeftToTheBrowser).toBe(true);
  expect(scrollIntoView).not.toHaveBeenCalled();
});
