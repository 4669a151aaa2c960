import { act, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { LoadedPart } from './LoadedPart';
import { definePart } from './part';

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
