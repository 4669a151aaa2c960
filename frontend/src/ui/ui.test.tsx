import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { fitMedia } from '../test/mediaQueries';
import { renderInSite } from '../test/render';
import { getInitials, getTint } from './Avatar';
import { JumpLink } from './JumpLink';
import { ProgressBar } from './ProgressBar';
import { RelativeTime } from './RelativeTime';

test.each([
  ['Marina Kovač', 'MK'],
  ['Anna Maria van der Berg', 'AB'],
  ['  Šimon  ', 'Š'],
  ['𝒜nna', '𝒜'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(getInitials(name)).toBe(initials);
});

test('the tint of a name is one of six and always the same', () => {
  const names = Array.from({ length: 60 }, (_, index) => `Sailor ${index}`);
  expect(names.map(getTint)).toEqual(names.map(getTint));
  expect(new Set(names.map(getTint))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test.each([
  ['smoothly', false, 'smooth'],
  ['at once where less motion is wanted', true, 'instant'],
])('a jump link scrolls to its target %s and moves the focus', async (_, calm, behavior) => {
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

test.each([
  [0, 'none'],
  [1, 'low'],
  [49.9, 'low'],
  [50, 'high'],
  [99.9, 'high'],
  [100, 'complete'],
])('a progress of %d percent has the level %s', (percent, level) => {
  render(<ProgressBar label="Night Passages" percent={percent} />);
  const bar = screen.getByRole('progressbar', { name: 'Night Passages' });
  expect(bar).toHaveAttribute('value', String(percent));
  expect(bar).toHaveAttribute('max', '100');
  expect(bar).toHaveAttribute('data-level', level);
});

test.each([
  ['2026-07-15T11:58:00Z', '2 minutes ago', 'před 2 minutami'],
  ['2026-07-15T06:10:00Z', '5 hours ago', 'před 5 hodinami'],
  ['2026-07-14T12:00:00Z', 'yesterday', 'včera'],
  ['2026-07-11T12:00:00Z', '4 days ago', 'před 4 dny'],
])('%s is %j in English and %j in Czech', (dateTime, ...texts) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-15T12:00:00Z') });
  for (const [index, language] of (['en', 'cs'] as const).entries()) {
    const { unmount } = renderInSite(<RelativeTime dateTime={dateTime} />, { language });
    expect(screen.getByText(texts[index] ?? '')).toHaveAttribute('datetime', dateTime);
    unmount();
  }
});
