import { beforeEach, expect, test, vi } from 'vitest';

import { loadChunk } from './loadChunk';
import { reloadPage } from './reloadPage';

vi.mock('./reloadPage', () => ({ reloadPage: vi.fn() }));

/** What webpack throws for a file that the server no longer has. */
function missing(request: string): Error {
  return Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', request });
}

/** Whether the load settles at all: one that leads to a reload does not. */
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

test('an optional file that is missing never loads the page anew', async () => {
  const load = loadChunk(() => Promise.reject(missing('/optional.js')), 'optional');
  await expect(load).rejects.toThrow('Loading chunk 7 failed.');
  expect(reloadPage).not.toHaveBeenCalled();
  expect(sessionStorage).toHaveLength(0);
});

test.each<[string, () => Promise<Response>]>([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is in trouble', () => Promise.resolve(new Response('', { status: 503 }))],
])('the page stays while the server %s, although the browser takes itself for online', async (_, answer) => {
  fetchHealth.mockImplementationOnce(answer);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).not.toHaveBeenCalled();
});

test('gives the part that was loaded', async () => {
  expect(await loadChunk(() => Promise.resolve('part'), 'required')).toBe('part');
  expect(reloadPage).not.toHaveBeenCalled();
});

test('a required file that is missing loads the page anew, and shows no failure meanwhile', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js')), 'required'))).toBe(false);
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('a file that is missing from the new page too is a failure, not a reload without end', async () => {
  void loadChunk(() => Promise.reject(missing('/old.js')), 'required');
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('each missing file has a reload of its own', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js')), 'required'))).toBe(false);
  expect(await settles(loadChunk(() => Promise.reject(missing('/other.js')), 'required'))).toBe(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).toHaveBeenCalledTimes(2);
});

test('without a connection the page stays, for a reload would lose it', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow();
  expect(reloadPage).not.toHaveBeenCalled();
});

test('an error in the part itself is no missing file', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('not a function')), 'required')).rejects.toThrow(
    TypeError,
  );
  expect(reloadPage).not.toHaveBeenCalled();
});

test('a page whose storage is closed does not reload, for it could not remember that it did', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  await expect(loadChunk(() => Promise.reject(missing('/old.js')), 'required')).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).not.toHaveBeenCalled();
});
