import { beforeEach, expect, test, vi } from 'vitest';

import { loadChunk } from '../lib/loadChunk';
import { serveGraphQL } from '../test/graphql';
import { createSessionStore } from './sessionStore';

vi.mock('../lib/loadChunk', () => ({ loadChunk: vi.fn((load: () => Promise<unknown>) => load()) }));

const onLoad = vi.hoisted(() => vi.fn());
const signIn = vi.hoisted(() => vi.fn(() => Promise.resolve({ token: 'anna-1', user: {} })));

vi.mock('./sessionApi', () => {
  onLoad();
  return { signIn, setAuthTokenSource: vi.fn() };
});

beforeEach(() => void vi.mocked(loadChunk).mockClear());

test('preload loads the calls to the server without a request', async () => {
  const calls = serveGraphQL();
  createSessionStore().getSnapshot().preload();
  await vi.dynamicImportSettled();
  expect(onLoad).toHaveBeenCalledOnce();
  expect(calls).toEqual([]);
});

test('a failed preload is silent, never reloads the page, and the first call tries again', async () => {
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk 7 failed.'));
  const session = createSessionStore().getSnapshot();
  session.preload();
  await session.signIn({ email: 'anna@example.org', password: 'Blue-Water9!' });
  expect(signIn).toHaveBeenCalledOnce();
  expect(vi.mocked(loadChunk).mock.calls.map(([, need]) => need)).toEqual(['optional', 'required']);
});
