import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';

import { createSampleResult, type QueryResult } from '../lib/query';
import { fitMedia } from '../test/mediaQueries';
import { renderInSite } from '../test/render';
import { getInitials, getTint } from './Avatar';
import { Dialog } from './Dialog';
import { JumpLink } from './JumpLink';
import { ProgressBar } from './ProgressBar';
import { QueryBoundary } from './QueryBoundary';
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

const onClose = vi.fn();
beforeEach(() => void onClose.mockClear());

// Playwright tests Escape and that the focus returns.
test('Close or a click on the backdrop closes it, a press inside that ends there does not', async () => {
  const { user } = renderInSite(
    // Runs the effects twice.
    <StrictMode>
      <Dialog onClose={onClose} title="Free berths">
        <p>Four along the quay.</p>
      </Dialog>
    </StrictMode>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Free berths' });
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.pointerDown(screen.getByText('Four along the quay.'));
  // The browser tells it to what holds both ends.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
  await user.click(dialog);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
});

test.each([
  ['keeps the place of its scroll bar until both dialogs are closed', 1009, 'stable'],
  ['that has no scroll bar stays as it is', 1024, ''],
])('the page below %s', (_, width, gutter) => {
  const page = document.documentElement;
  vi.spyOn(page, 'clientWidth', 'get').mockReturnValue(width);
  const berths = (...titles: string[]) =>
    titles.map((title) => (
      <Dialog key={title} onClose={onClose} title={title}>
        <p>Shore power, no water.</p>
      </Dialog>
    ));
  const { rerender } = renderInSite(berths('Lower', 'Upper'));
  for (const open of [['Lower'], ['Other'], ['Lower', 'Other']]) {
    rerender(berths(...open));
    expect(page.style.scrollbarGutter).toBe(gutter);
  }
  rerender(berths());
  expect(page.style.scrollbarGutter).toBe('');
});

test('a pending dialog opens again when the browser closes it, with the focus on its title', async () => {
  renderInSite(
    <Dialog isPending onClose={onClose} title="Free berths">
      <p>Casting off...</p>
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  dialog.close();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(await screen.findByRole('dialog')).toBe(dialog);
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).not.toHaveBeenCalled();
});

const PENDING: QueryResult<string[]> = {
  data: undefined,
  loading: true,
  error: undefined,
  refetch: () => undefined,
};

function show(query: QueryResult<string[]>) {
  return renderInSite(
    <QueryBoundary query={query} empty={<p>Nothing here</p>}>
      {(items) => <p>{items.join(', ')}</p>}
    </QueryBoundary>,
  );
}

test('a pending query shows that it is loading', () => {
  show(PENDING);
  expect(screen.getByRole('status')).toHaveTextContent(/^Loading\.\.\.$/);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test('Retry of a failed query keeps the focus in place, and data moves it to the heading', async () => {
  const refetch = vi.fn();
  const section = (query: QueryResult<string[]>) => (
    <section>
      <h2>Crew</h2>
      <QueryBoundary query={query}>{(items) => <p>{items.join(', ')}</p>}</QueryBoundary>
    </section>
  );
  const { user, container, rerender } = renderInSite(
    section({ ...PENDING, loading: false, error: new Error('offline'), refetch }),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('This could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(refetch).toHaveBeenCalledOnce();
  expect(container.querySelector(':focus')).toHaveAttribute('tabindex', '-1');
  rerender(section(createSampleResult(['a'])));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Crew' })).toHaveFocus());
});

test('data that arrives without a press leaves the focus where it is', () => {
  const { rerender } = show(PENDING);
  rerender(<QueryBoundary query={createSampleResult(['a'])}>{([item]) => <p>{item}</p>}</QueryBoundary>);
  expect(document.body).toHaveFocus();
});

test.each([
  [['a', 'b'], 'a, b'],
  [[], 'Nothing here'],
])('the data %j shows %j', (data, text) => {
  show(createSampleResult(data));
  expect(screen.getByText(text)).toBeVisible();
});

test('data stays when refetching fails', () => {
  show({ ...createSampleResult(['a']), error: new Error('offline') });
  expect(screen.getByText('a')).toBeVisible();
});
