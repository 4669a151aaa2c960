import { act, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { reloadPage } from './reloadPage';
import { renderInSite } from '../test/render';
import { LoadedPart } from './LoadedPart';
import { definePart } from './part';

vi.mock('./reloadPage', () => ({ reloadPage: vi.fn() }));

const Quay = () => <p>The quay</p>;

class Catch extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? 'It failed' : this.props.children;
  }
}

afterEach(() => vi.useRealTimers());

test('what is wanted twice is loaded once', async () => {
  const load = vi.fn(() => Promise.resolve(Quay));
  const part = definePart(load, 'landingBelow');
  const [first, second] = await Promise.all([part.load('en'), part.load('en')]);
  expect(second).toBe(first);
  expect(load).toHaveBeenCalledOnce();
});

test('what has been loaded shows at once', async () => {
  const part = definePart(() => Promise.resolve(Quay), 'landingBelow');
  await part.load('en');
  const waits = vi.fn(() => 'Loading');
  const Wait = () => waits();
  renderInSite(
    <Suspense fallback={<Wait />}>
      <LoadedPart part={part} />
    </Suspense>,
  );
  expect(screen.getByText('The quay')).toBeVisible();
  expect(waits).not.toHaveBeenCalled();
});

test('a load that fails reaches the page and is not tried again and again', async () => {
  const load = vi.fn(() => Promise.reject<typeof Quay>(new Error('Gone')));
  const part = definePart(load, 'landingBelow');
  await act(async () => {
    renderInSite(
      <Catch>
        <Suspense fallback="Loading">
          <LoadedPart part={part} />
        </Suspense>
      </Catch>,
      { onCaughtError: () => undefined },
    );
    await Promise.resolve();
  });
  expect(await screen.findByText('It failed')).toBeVisible();
  expect(load).toHaveBeenCalledOnce();
});

test('a load that failed is tried anew a while later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const load = vi
    .fn<() => Promise<typeof Quay>>()
    .mockRejectedValueOnce(new Error('Gone'))
    .mockResolvedValue(Quay);
  const part = definePart(load, 'landingBelow');
  await expect(part.load('en')).rejects.toThrow('Gone');
  await expect(part.load('en')).rejects.toThrow('Gone');
  vi.runAllTimers();
  await expect(part.load('en')).resolves.toMatchObject({ Component: Quay });
  expect(load).toHaveBeenCalledTimes(2);
});

test('a missing file reloads the page only where it is required, once somebody needs it', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('ok')));
  const missing = Object.assign(new Error('Gone'), { name: 'ChunkLoadError', request: '/part.js' });
  const part = definePart(() => Promise.reject<typeof Quay>(missing), 'landingBelow');
  await expect(part.load('en')).rejects.toThrow('Gone');
  expect(reloadPage).not.toHaveBeenCalled();
  void part.loadRequired('en');
  await vi.waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
});

test('a part that was loaded ahead is there at once for who requires it', async () => {
  const part = definePart(() => Promise.resolve(Quay), 'landingBelow');
  const ahead = part.load('en');
  await ahead;
  expect(part.loadRequired('en')).toBe(ahead);
});

test('a load that failed offline is tried anew as soon as the connection is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const load = vi
    .fn<() => Promise<typeof Quay>>()
    .mockRejectedValueOnce(new Error('Offline'))
    .mockResolvedValue(Quay);
  const part = definePart(load, 'landingBelow');
  await expect(part.load('en')).rejects.toThrow('Offline');
  window.dispatchEvent(new Event('online'));
  const loaded = part.load('en');
  await expect(loaded).resolves.toMatchObject({ Component: Quay });
  vi.advanceTimersByTime(1000); // the end of the failure, which is no longer kept
  expect(part.load('en')).toBe(loaded);
});
