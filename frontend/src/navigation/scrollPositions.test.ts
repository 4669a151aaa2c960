import { afterEach, beforeEach, expect, test, vi } from 'vitest';

afterEach(() => vi.resetModules());

/** The module as a document that has just been loaded has it. */
async function load() {
  const module = await import('./scrollPositions');
  module.takeOverScrolling();
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

test('the browser scrolls when documents change, and only then', async () => {
  await load();
  expect(window.history.scrollRestoration).toBe('manual');
  leave();
  expect(window.history.scrollRestoration).toBe('auto');
  comeBack();
  expect(window.history.scrollRestoration).toBe('manual');
});

test('the positions survive a full load', async () => {
  const { positions } = await load();
  positions['k1/landing'] = 480;
  leave();
  vi.resetModules();
  expect((await load()).positions).toEqual({ 'k1/landing': 480 });
});

test.each(['nonsense', '{"k1/landing":'])('what is kept may be broken: %s', async (kept) => {
  sessionStorage.setItem('scroll-positions', kept);
  expect((await load()).positions).toEqual({});
});

test('a page whose storage is closed still leaves', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  await load();
  leave();
  expect(window.history.scrollRestoration).toBe('auto');
});
