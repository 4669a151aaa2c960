import { afterEach, beforeEach, expect, test, vi } from 'vitest';

afterEach(() => vi.resetModules());

/** Load the module as a new document does. */
async function load() {
  const module = await import('./scrollPositions');
  module.manageScrollRestoration();
  return module;
}

const leave = () => window.dispatchEvent(new Event('pagehide'));
const comeBack = () => window.dispatchEvent(new Event('pageshow'));

beforeEach(() => {
  // jsdom lacks it.
  Object.defineProperty(window.history, 'scrollRestoration', {
    configurable: true,
    writable: true,
    value: 'auto',
  });
});

test('the browser restores scrolling between documents only', async () => {
  await load();
  expect(window.history.scrollRestoration).toBe('manual');
  leave();
  expect(window.history.scrollRestoration).toBe('auto');
  comeBack();
  expect(window.history.scrollRestoration).toBe('manual');
});

test('positions survive a full page load', async () => {
  const { positions } = await load();
  positions['k1/landing'] = 480;
  leave();
  vi.resetModules();
  expect((await load()).positions).toEqual({ 'k1/landing': 480 });
});

test('only the latest positions are kept', async () => {
  const { positions } = await load();
  for (let entry = 0; entry < 1000; entry += 1) positions[`k${entry}/landing`] = entry;
  leave();
  vi.resetModules();
  const kept = Object.keys((await load()).positions);
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)).toBe('k999/landing');
});

test.each(['nonsense', '{"k1/landing":'])('ignores a broken stored value: %s', async (kept) => {
  sessionStorage.setItem('scroll-positions', kept);
  expect((await load()).positions).toEqual({});
});

test('works when the storage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  await load();
  leave();
  expect(window.history.scrollRestoration).toBe('auto');
});
