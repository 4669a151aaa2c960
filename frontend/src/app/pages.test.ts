import { expect, test, vi } from 'vitest';

import { pages } from './pages';

const onLoad = vi.hoisted(() => vi.fn());

vi.mock('../session/sessionApi', () => {
  onLoad();
  return {};
});

test('a page that calls the server loads the session chunk with it, other pages do not', async () => {
  await pages.academy.preload();
  await vi.dynamicImportSettled();
  expect(onLoad).not.toHaveBeenCalled();
  await pages['sign-in'].preload();
  await vi.dynamicImportSettled();
  expect(onLoad).toHaveBeenCalledOnce();
});
