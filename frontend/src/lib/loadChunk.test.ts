import { beforeEach, expect, test, vi } from 'vitest';

import { loadChunk } from './loadChunk';
import { reloadPage } from './reloadPage';

vi.mock('./reloadPage', () => ({ reloadPage: vi.fn() }));

/** Return what webpack throws for a missing chunk. */
function missing(request: string): Error {
  return Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', request });
}

/** Return whether the load settles; one that reloads the page does not. */
async function settles(load: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => {
    setTimeout(resolve);
  });
  const settled = load.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, later.then(() => false)]);
}

const fetchHealth = vi.fn(() => Promise.resolve(new Response('ok')));

beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', fetchHealth);
});

test('a missing optional chunk never reloads the page', async () => {
  const load = loadChunk(() => Promise.reject(missing('/optional.js')), 'optional');
  await expect(load).rejects.toThrow('Loading chunk 7 failed.');
  expect(reloadPage).not.toHaveBeenCalled();
  expect(sessionStorage).toHaveLength(0);
});

test.each<[string, () => Promise<Response>]>([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['has an outage', () => Promise.resolve(new Response('', { status: 503 }))],
])('does not reload while the server %s, although the browser is online', async (_, answer) => {
  fetchHealth.mockImplementationOnce(answer);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).not.toHaveBeenCalled();
});

test('returns the loaded module', async () => {
  expect(await loadChunk(() => Promise.resolve('module'), 'required')).toBe('module');
  expect(reloadPage).not.toHaveBeenCalled();
});

test('a missing required chunk reloads the page and never settles', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js')), 'required'))).toBe(false);
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('a chunk that is missing after the reload too is an error', async () => {
  void loadChunk(() => Promise.reject(missing('/old.js')), 'required');
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('reloads once for each missing chunk', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js')), 'required'))).toBe(false);
  expect(await settles(loadChunk(() => Promise.reject(missing('/other.js')), 'required'))).toBe(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).toHaveBeenCalledTimes(2);
});

test('does not reload without a connection', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).not.toHaveBeenCalled();
});

test('does not reload for an error of the module itself', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('not a function')), 'required')).rejects.toThrow(
    TypeError,
  );
  expect(reloadPage).not.toHaveBeenCalled();
});

test('does not reload when the storage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).not.toHaveBeenCalled();
});
