import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { type QueryResult, createSampleResult } from '../lib/query';
import { QueryBoundary } from './QueryBoundary';

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
