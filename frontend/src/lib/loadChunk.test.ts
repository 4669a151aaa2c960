import { beforeEach, expect, test, vi } from 'vitest';

import { loadChunk, type Need } from './loadChunk';
import { reloadPage } from './reloadPage';

vi.mock('./reloadPage', () => ({ reloadPage: vi.fn() }));

/** Return what webpack throws for a missing chunk. */
function missing(request: string): Error {
  return Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', request });
}

/** Load what fails, and return its error; undefined when the page reloads, in which the promise never settles. */
async function fail(error: Error, need: Need = 'required'): Promise<unknown> {
  const later = new Promise((resolve) => void setTimeout(resolve));
  const failed = loadChunk(() => Promise.reject(error), need).catch((reason: unknown) => reason);
  return Promise.race([failed, later]);
}

const fetchHealth = vi.fn(() => Promise.resolve(new Response('ok')));

beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', fetchHealth);
});

test('returns the loaded module', async () => {
  expect(await loadChunk(() => Promise.resolve('module'), 'required')).toBe('module');
});

test('a missing required chunk reloads the page, once for each chunk', async () => {
  expect(await fail(missing('/old.js'))).toBeUndefined();
  expect(await fail(missing('/other.js'))).toBeUndefined();
  expect(await fail(missing('/old.js'))).toEqual(missing('/old.js'));
  expect(reloadPage).toHaveBeenCalledTimes(2);
});

test.each<[string, () => unknown, Error?, Need?]>([
  ['an optional chunk', () => undefined, missing('/optional.js'), 'optional'],
  ['an error of the module itself', () => undefined, new TypeError('not a function')],
  ['no connection', () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)],
  ['no route to the server', () => fetchHealth.mockRejectedValueOnce(new TypeError('Failed to fetch'))],
  ['an outage', () => fetchHealth.mockResolvedValueOnce(new Response('', { status: 503 }))],
  [
    'blocked storage',
    () =>
      vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new DOMException('Denied', 'SecurityError');
      }),
  ],
])('%s never reloads the page', async (_, prepare, error = missing('/old.js'), need = 'required') => {
  prepare();
  expect(await fail(error, need)).toBe(error);
  expect(reloadPage).not.toHaveBeenCalled();
});
