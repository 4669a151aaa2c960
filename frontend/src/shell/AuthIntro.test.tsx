import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { signedOut } from '../test/session';
import { AuthIntro } from './AuthIntro';

const onLoad = vi.hoisted(() => vi.fn());

vi.mock('../session/sessionApi', () => {
  onLoad();
  return {};
});

test('loads the calls to the server before the first submit', async () => {
  renderInSite(<AuthIntro title="Sign in" lead="Welcome" showSignedInNotice />, { session: signedOut() });
  await vi.dynamicImportSettled();
  expect(onLoad).toHaveBeenCalledOnce();
});
