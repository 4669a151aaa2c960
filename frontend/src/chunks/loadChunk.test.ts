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

beforeEach(() => void vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true));

test('gives the part that was loaded', async () => {
  expect(await loadChunk(() => Promise.resolve('part'))).toBe('part');
  expect(reloadPage).not.toHaveBeenCalled();
});

test('a missing file loads the page anew, and shows no failure meanwhile', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js'))))).toBe(false);
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('a file that is missing from the new page too is a failure, not a reload without end', async () => {
  void loadChunk(() => Promise.reject(missing('/old.js')));
  await expect(loadChunk(() => Promise.reject(missing('/old.js')))).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).toHaveBeenCalledOnce();
});

test('each missing file has a reload of its own', async () => {
  expect(await settles(loadChunk(() => Promise.reject(missing('/old.js'))))).toBe(false);
  expect(await settles(loadChunk(() => Promise.reject(missing('/other.js'))))).toBe(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')))).rejects.toThrow();
  expect(reloadPage).toHaveBeenCalledTimes(2);
});

test('without a connection the page stays, for a reload would lose it', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(loadChunk(() => Promise.reject(missing('/old.js')))).rejects.toThrow();
  expect(reloadPage).not.toHaveBeenCalled();
});

test('an error in the part itself is no missing file', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('not a function')))).rejects.toThrow(TypeError);
  expect(reloadPage).not.toHaveBeenCalled();
});

test('a page whose storage is closed does not reload, for it could not remember that it did', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError');
  });
  await expect(loadChunk(() => Promise.reject(missing('/old.js')))).rejects.toThrow(
    'Loading chunk 7 failed.',
  );
  expect(reloadPage).not.toHaveBeenCalled();
});
