import { render, screen } from '@testing-library/react';
import { startTransition, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';

import { lazyWithMessages } from './lazyWithMessages';
import { ErrorBoundary } from '../lazy/ErrorBoundary';

const Content = ({ name }: { name: string }) => <p>{`Hello ${name}`}</p>;

function show(Lazy: ReturnType<typeof lazyWithMessages<{ name: string }>>) {
  const page = (resetKey: string) => (
    <ErrorBoundary resetKey={resetKey} fallback={<p>Failed</p>}>
      <Suspense fallback="Loading">
        <Lazy name="Anna" />
      </Suspense>
    </ErrorBoundary>
  );
  const view = render(page('one'), { onCaughtError: () => undefined });
  return { retry: () => view.rerender(page('two')) };
}

test('renders without suspending after a preload', async () => {
  const Lazy = lazyWithMessages(() => Promise.resolve({ default: Content }));
  await Lazy.preload();
  show(Lazy);
  expect(screen.getByText('Hello Anna')).toBeVisible();
});

test('loads when it is rendered, once', async () => {
  const load = vi.fn(() => Promise.resolve({ default: Content }));
  const Lazy = lazyWithMessages(load);
  show(Lazy);
  expect(screen.getByText('Loading')).toBeVisible();
  expect(await screen.findByText('Hello Anna')).toBeVisible();
  await Lazy.preload();
  expect(load).toHaveBeenCalledOnce();
});

test('keeps its state when it is rendered again after a transition', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false); // within `act`, React does not wait for a microtask
  const Lazy = lazyWithMessages(() => Promise.resolve({ default: Content }));
  const root = createRoot(document.body);
  const page = (name?: string) => <Suspense>{name && <Lazy name={name} />}</Suspense>;
  root.render(page());
  startTransition(() => root.render(page('Anna')));
  const content = await screen.findByText('Hello Anna');
  root.render(page('Petr'));
  expect(await screen.findByText('Hello Petr')).toBe(content);
  root.unmount();
});

test('a failed load is not repeated until it is preloaded again', async () => {
  const load = vi.fn(() => Promise.resolve({ default: Content })).mockRejectedValueOnce(new Error('Offline'));
  const Lazy = lazyWithMessages<{ name: string }>(load, 'optional');
  const { retry } = show(Lazy);
  expect(await screen.findByText('Failed')).toBeVisible();
  retry();
  expect(await screen.findByText('Failed')).toBeVisible();
  expect(load).toHaveBeenCalledOnce();
  await Lazy.preload();
  show(Lazy);
  expect(screen.getByText('Hello Anna')).toBeVisible();
});
