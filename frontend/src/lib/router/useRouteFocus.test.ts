import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.resetModules());

/** Load the module as a new document does. */
async function load() {
  const { manageScrollRestoration } = await import('./useRouteFocus');
  manageScrollRestoration();
}

test('the browser restores scrolling between documents only, also when the storage is blocked or broken', async () => {
  sessionStorage.setItem('scroll-positions', '{"k1/landing":');
  await load();
  expect(window.history.scrollRestoration).toBe('manual');
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  window.dispatchEvent(new Event('pagehide'));
  expect(window.history.scrollRestoration).toBe('auto');
  window.dispatchEvent(new Event('pageshow'));
  expect(window.history.scrollRestoration).toBe('manual');
});
